/** The lab with a measured node. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "#contract/client.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import { logIn } from "#lab/accounts.ts";
import { joinNode } from "#lab/join.ts";
import { type LabParticipant, type RunningLab, startLab } from "#lab/lab.ts";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { type NodePlan, findNodePlan } from "#lab/network.ts";
import { nodeLinkLocal } from "./filler-peerings.ts";
import { type Neighbour, createNeighbour } from "./neighbour.ts";
import { deploy, endPeering, type PeeringRun, runPeering } from "./peering-run.ts";
import { openRawNode, type RawNode } from "./raw-node.ts";
import { watchNode } from "./watched-node.ts";

/** In the former order, a tunnel got its peer before BIRD knew the session, and one step followed the other. */
export type OrderName = "now" | "former order";
export const orderNames: readonly OrderName[] = ["now", "former order"];

/** A node, and the participant's router that waits for it. */
export interface Pair {
  readonly plan: NodePlan;
  readonly host: LabHost;
  /** Measures a peering from Submit to Established, then deletes it and restarts the participant's side. */
  readonly run: (order: OrderName) => Promise<PeeringRun>;
  readonly participant: BenchParticipant;
}

/** A participant's login session, and the values of their peering with the measured node. */
export interface BenchParticipant extends LabParticipant {
  readonly call: Caller;
  readonly update: PeerUpdate;
}

export interface Bench extends AsyncDisposable {
  readonly lab: RunningLab;
  /** The first one is that of the pair. */
  readonly participants: readonly BenchParticipant[];
  readonly pair: Pair;
  /** Runs the raw steps on the node. */
  readonly raw: RawNode;
}

/** The node has two tunnels of the provider. */
const measuredNode = "per01";
const settleMs = 3000;

/** @param hurry whether runs follow each other without the pauses that make their times comparable */
export async function openBench(hurry: boolean): Promise<Bench> {
  await using parts = new AsyncDisposableStack();
  const lab = parts.use(
    await startLab({
      port: 0,
      onMail: () => {},
      agentProgram: "tests/tools/bench/ordered-agent.ts",
    }),
  );
  const participants = await Promise.all(lab.participants.map((each) => openParticipant(lab, each)));
  const [participant] = participants;
  if (!participant) throw new Error("the lab has no participant");
  const pair = await openPair(lab, participant, hurry);
  const raw = await openRawNode(pair.host, nodeLinkLocal);
  if (!hurry) await pause(settleMs);
  const all = parts.move();
  return { lab, participants, pair, raw, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function openParticipant(lab: RunningLab, participant: LabParticipant): Promise<BenchParticipant> {
  const { plan, publicKey } = participant;
  const update: PeerUpdate = {
    node: measuredNode,
    address_family: "Both",
    bgp_extnh: "Yes",
    remote_ip: plan.publicIp,
    remote_port: "51820",
    peer_ipv4: "",
    peer_ipv6: `fe80::${plan.asn.slice(-4)}`,
    local_ipv6: "",
    public_key: publicKey,
  };
  return { ...participant, call: await logIn(lab.url, plan.asn, plan.password), update };
}

async function openPair(lab: RunningLab, participant: BenchParticipant, hurry: boolean): Promise<Pair> {
  const { plan, host: home, call, update } = participant;
  const node = measuredNode;
  const host = hostOf(lab, node);
  const watched = watchNode(host);
  await deploy(call, plan.asn, update);
  await joinNode(lab.url, plan, home, node);
  const neighbour = createNeighbour(home, node);
  await resetPeering(neighbour);
  return {
    plan: findNodePlan(node),
    host,
    participant,
    run: async (order) => {
      await useOrder(host, order);
      if (!hurry) await neighbour.untilIdle();
      const run = await runPeering(call, watched, plan.asn, update);
      await resetPeering(neighbour);
      return run;
    },
  };

  async function resetPeering(waiting: Neighbour): Promise<void> {
    await endPeering(call, watched, plan.asn, node);
    await waiting.restart();
  }
}

/** Tells the node's agent, which reads the order at the beginning of each change. */
async function useOrder(host: LabHost, order: OrderName): Promise<void> {
  const pid = await readFile(join(host.folder, "ordered-agent.pid"), "utf8");
  await host.run("kill", order === "now" ? "-HUP" : "-USR2", pid);
}

function hostOf(lab: RunningLab, name: string): LabHost {
  const host = lab.hosts.get(name);
  if (!host) throw new Error(`the lab has no ${name}`);
  return host;
}
