/** Counts the packets that a running tunnel loses while peerings of its node are edited. */
import { setTimeout as pause } from "node:timers/promises";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { Bench } from "./bench.ts";
import { compareWithTarget, formatMs, formatTable, print } from "./figures.ts";
import { deploy, endPeering } from "./peering-run.ts";
import { watchNode } from "./watched-node.ts";

/** The node's packet filter lets a participant's router send 100 ICMP packets a second. */
const intervalSeconds = 0.01;
const packets = 400;
/** How long pings run before the edit. */
const leadMs = 500;

interface Edit {
  readonly title: string;
  readonly sent: number;
  readonly lost: number;
  readonly ms: number;
}

/** The participant of the pair is joined, and has no peering. */
export async function timeEdits({ pair, participants }: Bench): Promise<void> {
  const [{ plan, call, update }, other] = [pair.participant, participants[1]];
  if (!other) throw new Error("the lab has no second participant");
  const name = interfaceName(plan.asn);
  const watched = watchNode(pair.host);
  await deploy(call, plan.asn, update);
  await watched.untilSession(name, "Established");
  const target = `${update.peer_ipv6}%${name}`;
  const toIpv6 = { address_family: "IPv6", bgp_extnh: "No" } as const;
  const editOther = (change: object) => deploy(other.call, other.plan.asn, { ...other.update, ...change });
  const edits: Edit[] = [];
  for (const [title, edit] of [
    ["another peering is added", () => editOther({})],
    ["another peering: BGP and WireGuard", () => editOther({ ...toIpv6, remote_port: "51821" })],
    ["another peering is deleted", () => endPeering(other.call, watched, other.plan.asn, update.node)],
    ["this peering: BGP", () => deploy(call, plan.asn, { ...update, ...toIpv6 })],
    ["this peering: BGP again", () => deploy(call, plan.asn, update)],
  ] as const)
    edits.push({ title, ...(await countLost(pair.host, target, edit)) });
  print(`
Pings through a running tunnel, ${1 / intervalSeconds} a second, while peerings of its node change; the change in milliseconds.

${formatTable([
  ["", "sent", "lost", "change"],
  ...edits.map(({ title, sent, lost, ms }) => [title, String(sent), String(lost), formatMs(ms)]),
])}
${compareWithTarget(
  "packets lost",
  edits.reduce((sum, { lost }) => sum + lost, 0),
  0,
  "",
)}`);
}

async function countLost(
  host: LabHost,
  target: string,
  edit: () => Promise<void>,
): Promise<Omit<Edit, "title">> {
  const pinged = host.run("ping", "-q", "-c", `${packets}`, "-i", `${intervalSeconds}`, "-W", "1", target);
  await pause(leadMs);
  const startedAt = performance.now();
  await edit();
  const ms = performance.now() - startedAt;
  const [sent = 0, received = 0] =
    /(\d+) packets transmitted, (\d+) received/
      .exec(await pinged)
      ?.slice(1)
      .map(Number) ?? [];
  return { sent, lost: sent - received, ms };
}
