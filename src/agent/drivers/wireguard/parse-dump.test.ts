import { expect, test } from "vitest";
import { parseDump } from "./parse-dump.ts";

test("parses interfaces with their peers", () => {
  const dump = [
    "dn42_4242420001\tPRIV=\tPUB=\t20001\toff",
    "dn42_4242420001\tPEER=\t(none)\t[2001:db8::1]:51820\t172.20.0.0/14,fe80::/10\t1763680000\t1200\t3400\t25",
    "dn42_4242420002\tPRIV=\tPUB=\t20002\toff",
    "dn42_4242420002\tPEER2=\t(none)\t(none)\t(none)\t0\t0\t148\toff",
    "wg0\t(none)\t(none)\t37643\toff",
    "",
  ].join("\n");
  expect(parseDump(dump)).toEqual(
    new Map([
      [
        "dn42_4242420001",
        {
          privateKey: "PRIV=",
          listenPort: 20_001,
          peers: [
            {
              publicKey: "PEER=",
              endpoint: "[2001:db8::1]:51820",
              allowedIps: ["172.20.0.0/14", "fe80::/10"],
              latestHandshake: 1_763_680_000,
              rxBytes: 1200,
              txBytes: 3400,
              keepalive: 25,
            },
          ],
        },
      ],
      [
        "dn42_4242420002",
        {
          privateKey: "PRIV=",
          listenPort: 20_002,
          peers: [
            {
              publicKey: "PEER2=",
              endpoint: null,
              allowedIps: [],
              latestHandshake: null,
              rxBytes: 0,
              txBytes: 148,
              keepalive: null,
            },
          ],
        },
      ],
      ["wg0", { privateKey: "(none)", listenPort: 37_643, peers: [] }],
    ]),
  );
});
