import { expect, test } from "vitest";
import { createManualClock } from "../../fixtures/manual-clock.ts";
import { createHandshakeWaits } from "./handshake-waits.ts";
import { parseDump } from "./parse-dump.ts";

interface Peer {
  readonly key?: string;
  readonly endpoint?: string;
  readonly handshake?: number;
  readonly sent?: number;
}

test("a peer waits since it was first seen with its key and endpoint, until the first handshake", async () => {
  const clock = createManualClock();
  const addWaits = createHandshakeWaits(clock);
  const read = ({ key = "K=", endpoint = "198.51.100.1:51820", handshake = 0, sent = 148 }: Peer) => {
    const dump = `wg1\tPRIVATE=\tPUBLIC=\t20001\toff\nwg1\t${key}\t(none)\t${endpoint}\t::/0\t${handshake}\t0\t${sent}\t25\n`;
    return addWaits(parseDump(dump)).get("wg1")?.peers[0]?.waitingSeconds;
  };
  expect(read({})).toBe(0);
  await clock.advance(370_000);
  expect(read({ sent: 9000 })).toBe(370);
  // Created again, changed, changed back.
  expect(read({})).toBe(0);
  await clock.advance(5000);
  expect([read({}), read({ key: "L=" }), read({ endpoint: "198.51.100.2:1" })]).toEqual([5, 0, 0]);
  expect(read({ handshake: 1_763_680_000 })).toBeUndefined();
  expect(read({})).toBe(0);
  // Nothing has read it in between.
  await clock.advance(601_000);
  expect([read({ key: "M=" }), read({})]).toEqual([0, 0]);
});
