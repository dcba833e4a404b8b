/** A node with one participant, AS4242420001, whose session is Established. */
import { peeringOf, routed } from "../../src/agent/fixtures/peerings.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { openInternet } from "../../src/lab/hosts/namespaces.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { openLabNode, startNodeBird } from "./lab-node.ts";
import { joinNode, nodeAddress } from "./lab-participant.ts";
import { waitUntilEstablished } from "./router-state.ts";

export type JoinedNode = Awaited<ReturnType<typeof openJoinedNode>>;

export async function openJoinedNode(roas: readonly string[] = []) {
  const internet = await openInternet();
  const host = await internet.host("syd01", `${nodeAddress}/24`);
  const participant = await internet.host("participant", "198.51.100.1/24");
  await startNodeBird(host, roas);
  const node = await openLabNode(host);
  const keys = await makeKeys(participant);
  const peering = peeringOf(1, { publicKey: keys.publicKey });
  await node.set([routed(peering)]);
  const { publicKey } = await node.ask<{ publicKey: string }>("facts");
  await joinNode(participant, { keys, peering, nodeKey: publicKey });
  await waitUntilEstablished(host, interfaceName(peering.asn));
  return { internet, node, participant, peering };
}
