/** A participant who applies the rendered files has sessions with the node, whatever the tunnel's addresses are. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dualStackOf, routed } from "../../src/agent/fixtures/peerings.ts";
import type { Peering } from "../../src/contract/agent.ts";
import {
  type PeeringSides,
  renderBird,
  renderWireguard,
} from "../../src/domain/peering/participant-config.ts";
import { participantInterface } from "../../src/domain/peering/participant-names.ts";
import { toPeerConfig } from "../../src/domain/peering/peer-config.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { eventually } from "./eventually.ts";
import { type LabNode, openLabNode, providerAsn, startNodeBird } from "./lab-node.ts";
import { noRequestOptions } from "../support/fixtures/no-options.ts";

const nodeAddress = "198.51.100.254";
let internet: Internet;
let participant: LabHost;
let node: LabNode;

beforeAll(async () => {
  internet = await openInternet();
  const host = await internet.host("syd01", `${nodeAddress}/24`);
  participant = await internet.host("participant", "198.51.100.1/24");
  await startNodeBird(host, []);
  node = await openLabNode(host);
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

/** One peering with an IPv4 and an IPv6 session for each pair of IPv6 addresses. */
const addresses = [
  { peerIpv6: "fe80::1", localIpv6: "fe80::2227" },
  { peerIpv6: "fe80::2", localIpv6: "fd42:2227::2" },
  { peerIpv6: "fd42:4242:3::1", localIpv6: "fe80::2227" },
  { peerIpv6: "fd42:4242:4::1", localIpv6: "fd42:2227::4" },
];

/** The node's name is different for each peering, as if the participant peered with four nodes. */
function sidesOf(peering: Peering, nodeKey: string): PeeringSides {
  return {
    node: `n${peering.asn.at(-1)}`,
    peer: toPeerConfig(
      { peering, options: noRequestOptions, customLocalIpv6: null, generation: 1 },
      providerAsn,
    ),
    provider: {
      public_ip: nodeAddress,
      local_ipv4: peering.localIpv4 ?? "",
      local_ipv6: peering.localIpv6 ?? "",
      public_key: nodeKey,
    },
  };
}

test("sessions over IPv4, link-local and routed addresses are established with the rendered files", async () => {
  const { privateKey, publicKey } = await makeKeys(participant);
  const { publicKey: nodeKey } = await node.ask<{ publicKey: string }>("facts");
  const peerings = addresses.map((pair, index) =>
    dualStackOf(index + 1, {
      ...pair,
      publicKey,
      endpointHost: "198.51.100.1",
      endpointPort: 51_821 + index,
    }),
  );
  await node.set(peerings.map((peering) => routed(peering)));
  const at = (name: string) => path.join(participant.folder, name);
  await mkdir(at("wireguard"));
  const all = peerings.map((peering) => sidesOf(peering, nodeKey));
  for (const sides of all) {
    const file = at(`wireguard/${participantInterface(providerAsn, sides.node)}.conf`);
    const config = renderWireguard(sides).replace("<paste your private key here>", privateKey);
    await writeFile(file, config, { mode: 0o600 });
    await participant.run("wg-quick", "up", file);
  }
  const config = ["router id 172.21.1.1;", "protocol device {}", ...all.map(renderBird)].join("\n");
  await writeFile(at("bird.conf"), config);
  await participant.run("bird", "-c", at("bird.conf"), "-s", at("bird.ctl"), "-P", at("bird.pid"));

  const readSessions = async () => {
    const table = await participant.run("birdc", "-s", at("bird.ctl"), "show", "protocols");
    return Object.fromEntries(
      table.split("\n").flatMap((line) => {
        const [name = "", protocol, ...rest] = line.trim().split(/ +/);
        return protocol === "BGP" ? [[name, rest.at(-1)]] : [];
      }),
    );
  };
  const established = all.flatMap((sides) => [
    [`dn42_2227_${sides.node}_v4`, "Established"],
    [`dn42_2227_${sides.node}_v6`, "Established"],
  ]);
  await eventually(readSessions, (sessions) =>
    Object.values(sessions).every((state) => state === "Established"),
  );
  expect(await readSessions()).toEqual(Object.fromEntries(established));
});
