import { expect, test } from "vitest";
import { pingText } from "./ping-text.ts";

const targets = {
  "IPv4 with a reply to each probe": { target: "172.21.1.1", probes: [0.5, 9.876, 12.34, 123.4] },
  "IPv6 with a lost probe": { target: "fe80::1%dn42_1", probes: [10, null] },
  "no reply at all": { target: "172.21.1.1", probes: [null, null, null, null] },
};

test("prints like ping", async () => {
  const texts = Object.entries(targets).map(([what, ping]) => `# ${what}\n${pingText(ping)}`);
  await expect(texts.join("\n")).toMatchFileSnapshot("golden/pings.txt");
});
