import { expect, test } from "vitest";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { parseProtocols } from "./parse-protocols.ts";

test("parses BGP protocols with state and reason", () => {
  const reply = replyOf(
    "2002-Name       Proto      Table      State  Since         Info",
    "1002-device1    Device     ---        up     23:13:45.479  ",
    " dn42_4242420001 BGP        ---        start  23:13:45.479  Idle          ",
    " dn42_4242420002_v4 BGP        ---        up     23:13:45.479  Established   ",
    " dn42_4242420003 BGP        ---        start  2026-11-20 23:13:45  Active        Socket: Connection closed",
    " dn42_4242420004 BGP        ---        start  23:13:45.479  Idle          BGP Error: Bad peer AS",
    " dn42_4242420005 BGP        ---        down   23:13:45.479  ",
    "0000 ",
  );
  expect(parseProtocols(reply)).toEqual([
    { name: "dn42_4242420001", state: "Idle", detail: "" },
    { name: "dn42_4242420002_v4", state: "Established", detail: "" },
    { name: "dn42_4242420003", state: "Active", detail: "Socket: Connection closed" },
    { name: "dn42_4242420004", state: "Idle", detail: "BGP Error: Bad peer AS" },
    { name: "dn42_4242420005", state: "Down", detail: "" },
  ]);
});
