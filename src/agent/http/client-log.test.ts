import { expect, test } from "vitest";
import { createClientLog } from "./client-log.ts";

const own = "AA:".repeat(31) + "AA";
const fingerprintOf = (octet: string) => `${octet}:`.repeat(31) + octet;

function scene() {
  let now = 0;
  const lines: Array<readonly [object, string]> = [];
  const write = (fields: object, message: string) => void lines.push([fields, message]);
  const clients = createClientLog({
    log: { info: write, warn: write } as never,
    clock: { now: () => now },
    expected: [own],
    isServerAddress: (address) => address === "192.0.2.10",
  });
  return {
    clients,
    /** Returns the lines since the last call. */
    takeLines: () => lines.splice(0),
    passMinute: () => (now += 60_000),
  };
}

const message = "rejected a connection: the client certificate is not pinned";

test("a server that connects again and again is logged once", () => {
  const { clients, takeLines } = scene();
  clients.noteAccepted(own, "192.0.2.10");
  clients.noteAccepted(own, "192.0.2.10");
  expect(takeLines()).toEqual([
    [{ fingerprint: "AA:AA:AA:AA…", address: "192.0.2.10" }, "a server has connected"],
  ]);
});

test("a rejected client is logged once, and scanners do not hide one from an address of the servers", () => {
  const { clients, takeLines, passMinute } = scene();
  clients.noteRefused(null, "203.0.113.1");
  clients.noteRefused(fingerprintOf("01"), "203.0.113.2");
  clients.noteRefused(fingerprintOf("BB"), "192.0.2.10");
  const expected = ["AA:AA:AA:AA…"];
  expect(takeLines()).toEqual([
    [{ presented: "none", expected, address: "203.0.113.1", omitted: 0 }, message],
    [{ presented: "BB:BB:BB:BB…", expected, address: "192.0.2.10", omitted: 0 }, message],
  ]);
  passMinute();
  clients.noteRefused(null, "203.0.113.1");
  clients.noteRefused(fingerprintOf("BB"), "192.0.2.10");
  clients.noteRefused(fingerprintOf("01"), "203.0.113.2");
  const omitted = { presented: "01:01:01:01…", expected, address: "203.0.113.2", omitted: 1 };
  expect(takeLines()).toEqual([[omitted, message]]);
});
