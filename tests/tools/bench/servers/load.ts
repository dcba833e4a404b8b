/** The load: reads of the status, logins, and changes of peerings with everything that follows until their pages know the end. */
import { setTimeout as pause } from "node:timers/promises";
import { calls } from "#contract/calls.ts";
import type { Task } from "#contract/entities.ts";
import type { Installation } from "./installation.ts";
import { logIn, type Place, type Population, ResponseError, sendCall, submitPort } from "./participants.ts";

export type RequestKind = "read" | "login" | "submit";

export interface Submit {
  readonly asn: string;
  readonly node: string;
  readonly port: number;
  readonly taskID: string;
}

/** What happened since the load was created. */
export interface LoadRecord {
  /** Milliseconds from the request to the response. */
  readonly latencies: Readonly<Record<RequestKind, number[]>>;
  /** Milliseconds from the response to a submit until a page received the end of its task. */
  readonly endings: number[];
  readonly submits: Submit[];
  /** Responses other than 200, and broken connections, with their times in milliseconds since 1970. */
  readonly failures: Array<{ readonly kind: RequestKind; readonly reason: string; readonly at: number }>;
  /** Ends of tasks that no event reported, but the poll of a page. */
  readonly polledEnds: string[];
}

export interface Load {
  readonly record: LoadRecord;
  readonly read: () => Promise<void>;
  readonly login: () => Promise<void>;
  /** Resolves when a page knows the end of the task. */
  readonly submit: () => Promise<void>;
}

/** As in the web app. */
const pagePollMs = 5_000;
const repeatPauseMs = 200;

/** Endpoint ports, of which no submit of the whole run repeats one. */
let nextPort = 1_024;

function take<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

export function createLoad(installation: Installation, population: Population): Load {
  const { participants, accounts, places, onTaskEnd } = population;
  const record: LoadRecord = {
    latencies: { read: [], login: [], submit: [] },
    endings: [],
    submits: [],
    failures: [],
    polledEnds: [],
  };
  /** The places without a deployment, the longest idle one first. */
  const idle: Place[] = [...places];
  const waiting = new Map<string, (task: Task) => void>();
  /** Ends that came before the response to the submit. */
  const early = new Map<string, Task>();
  onTaskEnd.add((task) => {
    const resolve = waiting.get(task.taskID);
    if (resolve) resolve(task);
    else early.set(task.taskID, task);
  });

  async function timed<T>(kind: RequestKind, send: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      const value = await send();
      record.latencies[kind].push(performance.now() - startedAt);
      return value;
    } catch (error) {
      const reason = error instanceof ResponseError ? String(error.status) : describeBreak(error);
      record.failures.push({ kind, reason, at: Date.now() });
      throw error;
    }
  }

  let reads = 0;
  let logins = 0;

  /** A failure is in the record. */
  async function attempt(kind: RequestKind, send: () => Promise<unknown>): Promise<void> {
    await timed(kind, send).catch(() => pause(repeatPauseMs));
  }

  async function submit(): Promise<void> {
    const place = idle.shift();
    // Every peering has a deployment already.
    if (!place) return pause(repeatPauseMs);
    const { asn, sender } = place.participant;
    const port = (nextPort += 1);
    const { taskID } = await repeatUntilAccepted(() =>
      timed("submit", () => submitPort(installation, place, port)),
    );
    const acceptedAt = performance.now();
    record.submits.push({ asn, node: place.node, port, taskID });
    const received = Promise.withResolvers<Task>();
    waiting.set(taskID, received.resolve);
    const known = early.get(taskID);
    if (known) received.resolve(known);
    const done = new AbortController();
    const task = await Promise.race([received.promise, poll(taskID, done.signal)]);
    done.abort();
    waiting.delete(taskID);
    record.endings.push(performance.now() - acceptedAt);
    if (task.status !== "success")
      throw new Error(`task ${taskID} ended with ${task.status}: ${task.reason}`);
    idle.push(place);

    async function poll(id: string, signal: AbortSignal): Promise<Task> {
      for (;;) {
        await pause(pagePollMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return received.promise;
        const found = (await sendCall(installation, calls.getTaskStatus, sender, {
          username: asn,
          taskID: id,
        }).catch(() => null)) as Task | null;
        if (found === null || found.status === "waiting") continue;
        if (!signal.aborted) record.polledEnds.push(id);
        return found;
      }
    }
  }

  return {
    record,
    read: () => {
      const { asn, sender } = take(participants, (reads += 1));
      const body = { username: asn };
      return attempt("read", () => sendCall(installation, calls.getPeerStatus, sender, body));
    },
    login: () => attempt("login", () => logIn(installation, take(accounts, (logins += 1)))),
    submit,
  };
}

/** A participant who sees an error submits again. */
async function repeatUntilAccepted<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const isPassing = !(error instanceof ResponseError) || error.status >= 500;
      if (!isPassing || attempt === 20) throw error;
      await pause(repeatPauseMs);
    }
  }
}

function describeBreak(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
