/**
 * Submits and their tasks on the mock backend. A submit stores the peering and a script of responses; each poll of the
 * task returns the next one, and the last leaves the peering that the script names.
 */
import type { PeerUpdate, Task } from "../contract/entities.ts";
import { HttpError } from "../contract/http-error.ts";
import { tunnelHasIpv4, tunnelHasIpv6 } from "../domain/peering/bgp-sessions.ts";
import {
  enteredKey,
  type OptionValues,
  parseOptions,
  toAgentOptions,
} from "../domain/peering/fields/option-values.ts";
import {
  deletionSteps,
  deploySteps,
  outcomeFor,
  throwIfSubmitFails,
  specialHosts,
} from "./deployment-scenarios.ts";
import { hostOf, nextNodePublicKey, nodeAddresses } from "./provider.ts";
import type { MockOutcome, MockPeering, MockState } from "./state.ts";

const quips = [
  "Teaching the packets the way …",
  "Asking BIRD to sing a new song …",
  "Untangling the tunnel …",
  "Convincing both ends that they like each other …",
] as const;

/** How long a task waits for its node. */
const waitMs = 120_000;

export function findPeering(state: MockState, asn: string, node: string): MockPeering {
  const found = state.peerings.find((each) => each.asn === asn && each.node === node);
  if (!found) throw new HttpError(404, { message: `AS${asn} has no peering on ${hostOf(node)}.` });
  return found;
}

export function submitUpdate(state: MockState, asn: string, update: PeerUpdate): Task {
  throwIfSubmitFails(update.remote_ip);
  const { node } = update;
  const previous = state.peerings.find((each) => each.asn === asn && each.node === node) ?? null;
  const peering = mockPeering(asn, update, previous);
  setPeering(state, asn, node, peering);
  const outcome = outcomeFor(update.remote_ip, node);
  return startTask(state, asn, {
    node,
    kind: "deploy",
    steps: deploySteps(node, asn),
    outcome: update.remote_ip === specialHosts.endless ? null : outcome,
    peeringAfter: outcome.status === "success" ? peering : previous,
  });
}

export function submitDeletion(state: MockState, asn: string, node: string): Task {
  const previous = findPeering(state, asn, node);
  const outcome = outcomeFor(previous.peering.endpointHost ?? "", node);
  return startTask(state, asn, {
    node,
    kind: "delete",
    steps: deletionSteps(node, asn),
    outcome,
    peeringAfter: outcome.status === "success" ? null : previous,
  });
}

/** Gives the tunnel the node's new key. */
export function submitSwitch(state: MockState, asn: string, node: string): Task {
  const previous = findPeering(state, asn, node);
  if (state.rekeys[node] === undefined)
    throw new HttpError(409, {
      message: `${hostOf(node)} has no new public key to switch to. Nothing was changed.`,
    });
  const switched = { ...previous, peering: { ...previous.peering, nodeKey: nextNodePublicKey } };
  setPeering(state, asn, node, switched);
  const outcome = outcomeFor(previous.peering.endpointHost ?? "", node);
  return startTask(state, asn, {
    node,
    kind: "deploy",
    steps: deploySteps(node, asn),
    outcome,
    peeringAfter: outcome.status === "success" ? switched : previous,
  });
}

/** The next response of the task's script; the last one from then on. */
export function pollTask(state: MockState, asn: string, taskID: string): Task {
  const found = state.tasks.find((each) => each.asn === asn && each.task.taskID === taskID);
  if (!found) throw new HttpError(404, { message: `AS${asn} has no task ${taskID}.` });
  const next = found.upcoming.shift();
  if (next === undefined) return found.task;
  found.task = next;
  if (next.status !== "waiting") setPeering(state, asn, next.node, found.peeringAfter);
  return next;
}

export function unfinishedTask(state: MockState, asn: string, node: string): Task | undefined {
  return state.tasks.find(
    (each) => each.asn === asn && each.task.node === node && each.task.status === "waiting",
  )?.task;
}

interface TaskScript {
  readonly node: string;
  readonly kind: Task["kind"];
  readonly steps: readonly string[];
  /** Null: the task never ends. */
  readonly outcome: MockOutcome | null;
  readonly peeringAfter: MockPeering | null;
}

function startTask(state: MockState, asn: string, script: TaskScript): Task {
  const { node, kind, steps, outcome, peeringAfter } = script;
  const waiting = (done: number): Task => ({
    status: "waiting",
    taskID,
    quip: quips[done % quips.length] ?? quips[0],
    node,
    kind,
    steps: steps.slice(0, done),
    reason: `Waiting for ${hostOf(node)} to respond.`,
    deadline,
  });
  const deadline = Date.now() + waitMs;
  const taskID = `mock-${state.tasks.length + 1}`;
  const upcoming = steps.map((_, index) => waiting(index + 1));
  state.tasks.unshift({
    asn,
    task: waiting(0),
    upcoming: outcome === null ? [] : [...upcoming, { ...waiting(steps.length), deadline: null, ...outcome }],
    peeringAfter,
  });
  return waiting(0);
}

/** A peering with what was submitted, and fixed values for everything that a server chooses. */
function mockPeering(asn: string, update: PeerUpdate, previous: MockPeering | null): MockPeering {
  const options = parseOptions(update, previous && previous.options);
  const choice = {
    addressFamily: update.address_family,
    extendedNextHop: update.address_family === "Both" && update.bgp_extnh === "Yes",
  };
  const { ipv4, linkLocal } = nodeAddresses(update.node);
  const hasIpv6 = tunnelHasIpv6(choice);
  return {
    asn,
    node: update.node,
    generation: (previous?.generation ?? 0) + 1,
    peering: {
      asn,
      ...choice,
      endpointHost: update.remote_ip || null,
      endpointPort: update.remote_ip === "" ? null : Number(update.remote_port),
      publicKey: update.public_key,
      listenPort: 20_001,
      peerIpv4: update.peer_ipv4 || null,
      peerIpv6: hasIpv6 ? update.peer_ipv6 || "fe80::1" : null,
      localIpv4: tunnelHasIpv4(choice) ? ipv4 : null,
      localIpv6: hasIpv6 ? update.local_ipv6 || linkLocal : null,
      ...toAgentOptions(options),
    },
    options,
    presharedKey: mockKeyOf(update, options, previous),
    customLocalIpv6: update.local_ipv6 || null,
    health: "OK",
  };
}

/** The key that the mock backend generates. */
const generatedKey = `${"Z2VuZXJhdGVk".repeat(3)}Z2VuZXI=`;

function mockKeyOf(update: PeerUpdate, { presharedKey }: OptionValues, previous: MockPeering | null): string {
  if (presharedKey === null) return "";
  if (update.preshared_key === undefined) return previous?.presharedKey ?? "";
  return enteredKey(update) ?? generatedKey;
}

function setPeering(state: MockState, asn: string, node: string, next: MockPeering | null): void {
  const others = state.peerings.filter((each) => each.asn !== asn || each.node !== node);
  state.peerings = next === null ? others : [...others, next];
}
