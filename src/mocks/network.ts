/**
 * The mock backend's moves on its state.
 *
 * Invariants: at most one peering per AS and node; a peering holds the desired generation from the moment
 * of the submit, and the previous one again when its task does not succeed; a task ends once.
 */
import type { PeerUpdate, Task } from "../contract/entities.ts";
import { completePeering } from "../domain/complete-peering.ts";
import { checkPeerUpdate } from "../domain/peering-rules.ts";
import { deletionSteps, deploySteps, endingFor, refuseSpecialHost, specialHosts } from "./outcomes.ts";
import { nodeIdentity, peeringContext, provider } from "./provider.ts";
import { Refused } from "./refused.ts";
import type { MockPeering, MockState, MockTask } from "./state.ts";

const quips = [
  "Teaching the packets the way …",
  "Asking BIRD to sing a new song …",
  "Untangling the tunnel …",
  "Convincing both ends that they like each other …",
] as const;

export function findPeering(state: MockState, asn: string, node: string): MockPeering {
  const found = state.peerings.find((each) => each.asn === asn && each.node === node);
  if (!found) throw new Refused(404, { message: `AS${asn} has no peering on ${node}.` });
  return found;
}

export function submitUpdate(state: MockState, asn: string, update: PeerUpdate): Task {
  if (!provider.nodes.some(({ name }) => name === update.node)) {
    throw new Refused(422, { message: `There is no node ${update.node}.`, field: "node" });
  }
  refuseSpecialHost(update.remote_ip);
  const checked = checkPeerUpdate(update, peeringContext(asn, update.node));
  if (!checked.ok) throw new Refused(422, checked.refusal);
  const previous = state.peerings.find((each) => each.asn === asn && each.node === update.node) ?? null;
  refuseConcurrent(state, asn, update.node);
  if (update.generation !== undefined && update.generation !== (previous?.generation ?? 0)) {
    throw new Refused(409, {
      message: "This peering was changed meanwhile. Nothing of yours was deployed.",
    });
  }
  const completed = completePeering(
    checked.request,
    nodeIdentity(update.node),
    { ports: new Set(), peerAddresses: new Set(), publicKeys: new Set() },
    previous?.peering.listenPort ?? null,
  );
  if (!completed.ok) throw new Refused(422, completed.refusal);
  setPeering(state, asn, update.node, {
    asn,
    node: update.node,
    generation: (previous?.generation ?? 0) + 1,
    peering: completed.peering,
    customLocalIpv6: checked.request.customLocalIpv6,
    health: "OK",
  });
  return startTask(state, asn, update.node, "deploy", {
    upcoming: deploySteps(update.node, asn),
    endless: update.remote_ip === specialHosts.endless,
    ending: endingFor(update.remote_ip, update.node),
    previous,
  });
}

export function submitDeletion(state: MockState, asn: string, node: string): Task {
  const previous = findPeering(state, asn, node);
  refuseConcurrent(state, asn, node);
  return startTask(state, asn, node, "delete", {
    upcoming: deletionSteps(node, asn),
    endless: false,
    ending: endingFor(previous.peering.endpointHost, node),
    previous,
  });
}

/** The task as it stands now. Every poll brings it one step further, the last one to its end. */
export function pollTask(state: MockState, asn: string, taskID: string): Task {
  const found = state.tasks.find((each) => each.asn === asn && each.task.taskID === taskID);
  if (!found) throw new Refused(404, { message: `AS${asn} has no task ${taskID}.` });
  if (found.task.status === "waiting") advance(state, found);
  return found.task;
}

export function unfinishedTask(state: MockState, asn: string, node: string): Task | undefined {
  return state.tasks.find(
    (each) => each.asn === asn && each.task.node === node && each.task.status === "waiting",
  )?.task;
}

function advance(state: MockState, mock: MockTask): void {
  if (mock.endless) return;
  const step = mock.upcoming.shift();
  if (step !== undefined) {
    const quip = quips[(mock.task.steps.length + 1) % quips.length] ?? quips[0];
    mock.task = { ...mock.task, quip, steps: [...mock.task.steps, step] };
    return;
  }
  mock.task = { ...mock.task, status: mock.ending.status, reason: mock.ending.reason };
  if (mock.ending.status !== "success") setPeering(state, mock.asn, mock.task.node, mock.previous);
  else if (mock.task.kind === "delete") setPeering(state, mock.asn, mock.task.node, null);
}

function startTask(
  state: MockState,
  asn: string,
  node: string,
  kind: Task["kind"],
  plan: Pick<MockTask, "upcoming" | "endless" | "ending" | "previous">,
): Task {
  const task: Task = {
    status: "waiting",
    taskID: `mock-${state.tasks.length + 1}`,
    quip: quips[0],
    node,
    kind,
    steps: [],
    reason: `Waiting for ${node} to answer.`,
  };
  state.tasks.unshift({ asn, task, ...plan });
  return task;
}

function refuseConcurrent(state: MockState, asn: string, node: string): void {
  if (!unfinishedTask(state, asn, node)) return;
  throw new Refused(409, {
    message: "Another deployment of this peering is under way. Nothing of yours was deployed.",
  });
}

function setPeering(state: MockState, asn: string, node: string, next: MockPeering | null): void {
  const others = state.peerings.filter((each) => each.asn !== asn || each.node !== node);
  state.peerings = next === null ? others : [...others, next];
}
