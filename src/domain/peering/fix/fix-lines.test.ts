import { expect, test } from "vitest";
import { storedPeering } from "../fixtures/stored-peering.ts";
import type { PeeringSides } from "../participant-config.ts";
import { toPeerConfig } from "../peer-config.ts";
import type { Finding } from "../../findings/findings.ts";
import { fixLines, hasFixLines } from "./fix-lines.ts";

const peer = toPeerConfig(storedPeering, "4242422227");
const provider = {
  public_ip: "syd01.example.net",
  local_ipv4: "",
  local_ipv6: "fe80::2227",
  public_key: "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=",
};
/** One MP-BGP session with extended next hop, and a session for each family, with a pre-shared key. */
const multiprotocol: PeeringSides = { node: "syd01", peer, provider };
const twoSessions: PeeringSides = {
  node: "syd01",
  peer: { ...peer, bgp_extnh: "No", bgp_mpbgp: "No", peer_ipv4: "172.20.1.1", preshared_key: "set" },
  provider: { ...provider, local_ipv4: "172.20.2.1" },
  presharedKey: "AQID",
};

const hasPresharedKey = true;
const endpoint = "198.51.100.1:51820";
const facts = { families: ["IPv6"], addresses: ["fe80::2227"] };
const session = "dn42_4242420001";
const samples: ReadonlyArray<readonly [Finding, PeeringSides]> = [
  [{ code: "no-handshake", facts: { endpoint, hasPresharedKey } }, twoSessions],
  [{ code: "node-key-changed", facts: { host: "syd01", publicKey: `${"B".repeat(43)}=` } }, multiprotocol],
  [{ code: "no-ping-reply", facts: { address: "fe80::1" } }, twoSessions],
  [
    {
      code: "way-blocked",
      facts: { families: ["IPv6"], sources: ["fd42:d42::1"], addresses: ["fe80::1"] },
    },
    multiprotocol,
  ],
  [{ code: "session-refused", facts }, multiprotocol],
  [{ code: "session-refused", facts: { families: ["IPv4"], addresses: [] } }, twoSessions],
  [{ code: "session-silent", facts: { families: [], addresses: [] } }, twoSessions],
  [{ code: "session-unreachable", facts }, twoSessions],
  [{ code: "session-wrong-as", facts }, multiprotocol],
  [{ code: "session-hold-timer", facts }, multiprotocol],
  [{ code: "session-shut-down", facts: { ...facts, output: "bye" } }, twoSessions],
  [{ code: "family-not-announced", facts: { session, family: "IPv6" } }, twoSessions],
  [{ code: "extended-next-hop-missing", facts: { session } }, multiprotocol],
];

test("the lines of each kind of finding have the values of the peering", async () => {
  const texts = samples.map(([finding, sides]) => {
    const lines = fixLines(finding, sides).flat();
    return [finding.code, ...lines.map(({ system, place, text }) => `${system}: ${place}\n${text}`)].join(
      "\n",
    );
  });
  await expect(`${texts.join("\n\n")}\n`).toMatchFileSnapshot("golden/fix-lines.txt");
  expect(texts.join("\n")).not.toMatch(/AQID|PrivateKey|PresharedKey/);
});

test("a finding whose fix is no line has none, nor has one whose values are missing", () => {
  const texts: readonly Finding[] = [
    { code: "endpoint-unresolved", facts: { host: "home.example.net" } },
    { code: "handshake-incomplete", facts: { hasPresharedKey } },
    { code: "session-waiting", facts: {} },
    { code: "session-disabled", facts: { families: ["IPv4"], sessions: [session] } },
  ];
  for (const finding of texts) {
    expect(hasFixLines(finding)).toBe(false);
    expect(fixLines(finding, multiprotocol)).toEqual([]);
  }
  const none = { ...multiprotocol, peer: { ...peer, peer_ipv6: "" } };
  expect(fixLines({ code: "no-ping-reply", facts: { address: "fe80::1" } }, none)).toEqual([]);
  const ipv4: Finding = { code: "family-not-announced", facts: { session, family: "IPv4" } };
  const sides = { ...multiprotocol, peer: { ...peer, address_family: "IPv6", bgp_extnh: "No" } as const };
  expect(fixLines(ipv4, sides)).toEqual([]);
});
