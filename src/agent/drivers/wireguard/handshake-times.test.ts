import { expect, test } from "vitest";
import { createHandshakeTimes } from "./handshake-times.ts";
import type { WireguardInterface } from "./parse-dump.ts";

/** Clocks, and the age of a peer's handshake as it is read. */
function start() {
  const time = { system: 1_800_000_000.5, monotonic: 1000 };
  const correctTimes = createHandshakeTimes({ system: () => time.system, monotonic: () => time.monotonic });
  return {
    pass: (seconds: number) => {
      time.system += seconds;
      time.monotonic += seconds;
    },
    setClock: (seconds: number) => {
      time.system += seconds;
    },
    now: () => Math.floor(time.system),
    read: (latestHandshake: number | null) => {
      const state = { peers: [{ publicKey: "key", latestHandshake }] } as unknown as WireguardInterface;
      return correctTimes(new Map([["dn42_1", state]])).get("dn42_1")?.peers[0]?.latestHandshake ?? null;
    },
    ageOf: (corrected: number | null) => (corrected === null ? null : Math.floor(time.system - corrected)),
  };
}

test("times are as wg prints them while the clock runs", () => {
  const { read, now, pass } = start();
  const handshake = now() - 10;
  for (let second = 0; second < 300; second += 1) {
    expect(read(handshake)).toBe(handshake);
    pass(1);
  }
  expect(read(null)).toBeNull();
});

test.each([3600, -3600, -30])("a handshake has its age when the clock is set by %i s", (seconds) => {
  const { read, now, pass, setClock, ageOf } = start();
  const handshake = now() - 10;
  read(handshake);
  setClock(seconds);
  expect(ageOf(read(handshake))).toBe(10);
  pass(100);
  expect(ageOf(read(handshake))).toBe(110);
  // The next one is by the new clock.
  const next = now();
  expect(read(next)).toBe(next);
});

test("a handshake that is in the future from the start is new then, and gets older", () => {
  const { read, now, pass, ageOf } = start();
  const handshake = now() + 3600;
  expect(ageOf(read(handshake))).toBe(0);
  pass(200);
  expect(ageOf(read(handshake))).toBe(200);
});

test("an interface that was not read for long is forgotten", () => {
  const { read, now, pass, setClock } = start();
  const handshake = now() - 10;
  read(handshake);
  pass(601);
  read(null);
  setClock(60);
  expect(read(handshake)).toBe(handshake);
});
