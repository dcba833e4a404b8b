/** The work on one peering: create, edit, delete, and submits that are repeated. */
import { setTimeout as pause } from "node:timers/promises";
import { calls } from "#contract/calls.ts";
import { type Caller, CallError } from "#contract/client.ts";
import { peerUpdate } from "#tests/integration/server/participant.ts";
import { type Answer, isAway, readWhenBack, recoveryMs, sendChange } from "./answers.ts";
import { InvariantError } from "../campaign.ts";
import type { Work, WorkOptions } from "./work.ts";
import type { SentDeployment } from "./record.ts";

interface Place {
  readonly node: string;
  readonly key: string;
  readonly call: Caller;
}

const pollMs = 100;
const firstPort = 10_000;

export function createPeeringWork({ asn, random, record }: WorkOptions, { node, key, call }: Place): Work {
  const title = `AS${asn} ${node}`;
  const body = { username: asn, node };
  /** The endpoint's port of the last change that is known to have ended with success; null without a peering. */
  let settledPort: string | null = null;
  /** A change whose end is not known. */
  let open: SentDeployment | null = null;
  record.peerings.set(title, null);

  function send({ port }: SentDeployment): Promise<Answer<string>> {
    record.announceChange();
    return sendChange(async (signal) => {
      const { taskID } =
        port === null
          ? await call(calls.deletePeer, body, { signal })
          : await call(
              calls.updatePeerConfig,
              [
                { username: asn },
                peerUpdate({ node, remote_port: port, public_key: key, peer_ipv6: `fe80::${asn.slice(-4)}` }),
              ],
              { signal },
            );
      return taskID;
    });
  }

  async function submit(change: SentDeployment): Promise<void> {
    const wasSent = change.outcome !== "refused";
    const answer = await send(change);
    const detail = answer.outcome === "accepted" ? `task ${answer.value}` : answer.message;
    record.log(`${title}: ${change.kind} ${change.port ?? ""} ${answer.outcome}, ${detail}`);
    record.count(`deployments ${answer.outcome}`);
    // What was sent before is still to be settled, whatever happens to its repetition.
    if (change.outcome !== "accepted" && !(wasSent && answer.outcome === "refused"))
      change.outcome = answer.outcome;
    open = change.outcome === "refused" ? null : change;
    if (answer.outcome !== "accepted") return;
    if (change.taskID !== null && change.taskID !== answer.value)
      throw new InvariantError(`${title}: the repeated ${change.kind} is another task, ${answer.value}`);
    change.taskID = answer.value;
  }

  function draw(): SentDeployment {
    const isDeletion = settledPort !== null && random.chance(0.3);
    const kind = isDeletion ? "delete" : settledPort === null ? "create" : "edit";
    const port = isDeletion ? null : String(firstPort + record.nextNumber());
    return { asn, node, kind, port, outcome: "refused", taskID: null };
  }

  /** The task has ended. A deployment to a node that can be reached, and refuses nothing, ends with success. */
  function close(change: SentDeployment, status: string): void {
    if (status !== "success")
      throw new InvariantError(`${title}: the ${change.kind} ${change.taskID} ended with ${status}`);
    settledPort = change.port;
    record.peerings.set(title, settledPort);
    open = null;
  }

  async function follow(change: SentDeployment, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { status } = await call(calls.getTaskStatus, { username: asn, taskID: change.taskID ?? "" });
      if (status !== "waiting") return close(change, status);
      await pause(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const change = draw();
      record.deployments.push(change);
      await submit(change);
      // The second click of a double click.
      if (change.outcome === "accepted" && change.port !== null && random.chance(0.3)) await submit(change);
      if (change.outcome === "unknown") return;
      // A read fails while the server or its database is away. Settling finds out.
      if (change.outcome === "accepted")
        await follow(change, signal).catch((error: unknown) => {
          if (!isAway(error)) throw error;
        });
      if (open) return;
      await pause(random.integer(200), undefined, { signal }).catch(() => undefined);
    }
  }

  async function settle(): Promise<void> {
    // A participant who saw no answer submits again, or looks at what is there.
    for (let retries = 0; retries < 5 && random.chance(0.6); retries += 1)
      if (open?.outcome === "unknown") await repeat(open);
    if (open?.outcome === "accepted") await waitForEnd(open, open.taskID ?? "");
    await waitForNoTasks();
    const found = await configuredPort();
    if (open) {
      // Saved or not, but nothing else.
      if (found !== open.port && found !== settledPort)
        throw new InvariantError(`${title}: the port is ${found}, not ${settledPort} or ${open.port}`);
      record.log(`${title}: the unconfirmed ${open.kind} ${found === open.port ? "is" : "is not"} saved`);
      settledPort = found;
      record.peerings.set(title, settledPort);
      open = null;
    }
    if (found !== settledPort)
      throw new InvariantError(`${title}: the port is ${found} instead of ${settledPort}`);
    await waitForNode();
  }

  async function repeat(change: SentDeployment): Promise<void> {
    try {
      await submit(change);
    } catch (error) {
      // The deletion was saved, and has ended since.
      const isGone = change.port === null && String(error).includes("has no peering");
      if (!isGone) throw error;
    }
    if (change.outcome === "unknown") await pause(pollMs);
  }

  /** Polls until `check` returns null instead of what is still wrong. */
  async function waitUntil(check: () => Promise<string | null>): Promise<void> {
    const deadline = performance.now() + recoveryMs;
    for (;;) {
      const problem = await check();
      if (problem === null) return;
      if (performance.now() > deadline) throw new InvariantError(`${title}: ${problem}`);
      await pause(pollMs);
    }
  }

  function waitForEnd(change: SentDeployment, taskID: string): Promise<void> {
    return waitUntil(async () => {
      const task = await readWhenBack(() => call(calls.getTaskStatus, { username: asn, taskID }));
      if (task.status === "waiting") return `the task ${taskID} has not ended: ${task.reason}`;
      close(change, task.status);
      return null;
    });
  }

  function waitForNoTasks(): Promise<void> {
    return waitUntil(async () => {
      const tasks = await readWhenBack(() => call(calls.getTasks, { username: asn }));
      return tasks.some((task) => task.node === node) ? "a task has not ended" : null;
    });
  }

  async function configuredPort(): Promise<string | null> {
    try {
      const config = await readWhenBack(() => call(calls.getPeerConfig, body));
      return config[node]?.remote.split(":")[1] ?? null;
    } catch (error) {
      if (error instanceof CallError && error.status === 404) return null;
      throw error;
    }
  }

  /** The node runs what the database says: asked through the server, so that the answer is not older than the change. */
  async function waitForNode(): Promise<void> {
    if (settledPort === null) return;
    await waitUntil(async () => {
      const details = await readWhenBack(() => call(calls.getPeerDetails, body));
      const output = details[node]?.wg_details.output ?? "";
      return output.includes(`:${settledPort}`)
        ? null
        : `the node does not run port ${settledPort}: ${output}`;
    });
  }

  return { run, settle };
}
