/** The lab with two measured nodes: one unchanged, and one with BIRD's default timers. */
import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "#contract/client.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import { calls } from "#contract/calls.ts";
import { logIn } from "#lab/accounts.ts";
import { joinNode } from "#lab/join.ts";
import { type LabParticipant, type RunningLab, startLab } from "#lab/lab.ts";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { type NodePlan, findNodePlan } from "#lab/network.ts";
import { useDefaultTimers } from "./default-timers.ts";
import { type Neighbour, createNeighbour } from "./neighbour.ts";
import { endPeering, type PeeringRun, runPeering, untilEnded } from "./peering-run.ts";
import { openRawNode, type RawNode } from "./raw-node.ts";
import { watchNode } from "./watched-node.ts";

/** A node, and the participant's router that waits for it. */
export interface Pair {
  readonly plan: NodePlan;
  readonly host: LabHost;
  /** Measures a peering from Submit to Established, then deletes it and restarts the participant's side. */
  readonly run: () => Promise<PeeringRun>;
}

export interface Bench extends AsyncDisposable {
  readonly lab: RunningLab;
  readonly tuned: Pair;
  readonly untuned: Pair;
  /** Runs the raw steps on the tuned node. */
  readonly raw: RawNode;
  /** The participant's AS number. */
  readonly asn: string;
}

/** Each node has two tunnels of the provider. */
const [tunedNode, untunedNode] = ["per01", "ny01"] as const;
const settleMs = 3000;

export async function openBench(): Promise<Bench> {
  await using parts = new AsyncDisposableStack();
  const lab = parts.use(await startLab({ port: 0, onMail: () => {} }));
  const [participant] = lab.participants;
  if (!participant) throw new Error("the lab has no participant");
  const { plan } = participant;
  const call = await logIn(lab.url, plan.asn, plan.password);
  await useDefaultTimers(hostOf(lab, untunedNode));
  const tuned = await openPair(parts, lab, participant, call, { node: tunedNode, port: "51820" });
  const untuned = await openPair(parts, lab, participant, call, { node: untunedNode, port: "51821" });
  const raw = await openRawNode(tuned.host, tuned.plan.linkLocal);
  await pause(settleMs);
  const all = parts.move();
  return { lab, tuned, untuned, raw, asn: plan.asn, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function openPair(
  parts: AsyncDisposableStack,
  lab: RunningLab,
  { plan, host: home, publicKey }: LabParticipant,
  call: Caller,
  { node, port }: { readonly node: string; readonly port: string },
): Promise<Pair> {
  const host = hostOf(lab, node);
  const watched = parts.use(watchNode(host));
  const update: PeerUpdate = {
    node,
    address_family: "Both",
    bgp_extnh: "Yes",
    remote_ip: plan.publicIp,
    remote_port: port,
    peer_ipv4: "",
    peer_ipv6: "fe80::1",
    local_ipv6: "",
    public_key: publicKey,
  };
  const task = await call(calls.updatePeerConfig, [{ username: plan.asn }, update]);
  await untilEnded(call, plan.asn, task.taskID);
  await joinNode(lab.url, plan, home, node);
  const neighbour = createNeighbour(home, node);
  await resetPeering(neighbour);
  return {
    plan: findNodePlan(node),
    host,
    run: async () => {
      await neighbour.untilIdle();
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

function hostOf(lab: RunningLab, name: string): LabHost {
  const host = lab.hosts.get(name);
  if (!host) throw new Error(`the lab has no ${name}`);
  return host;
}
