/**
 * Event streams as pages hold them: the browser connects again after the time that the stream names, and the page then
 * reads what it may have missed.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Task } from "#contract/entities.ts";
import type { Client, Sender } from "./client.ts";

export interface TaskEnd {
  readonly taskID: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Reconnection {
  /** When the stream broke, and when another one had begun; milliseconds since 1970. */
  readonly brokenAt: number;
  readonly connectedAt: number;
}

export interface PageStream {
  readonly asn: string;
  /** When the first stream had begun. */
  readonly openedAt: number;
  /** The ends of tasks that it received, doubled ones included. */
  readonly ends: TaskEnd[];
  readonly reconnections: Reconnection[];
  /** The responses that were no stream. A page tries again after seconds then. */
  readonly rejected: number[];
  readonly close: () => Promise<void>;
}

export interface PageOptions {
  readonly asn: string;
  readonly sender: Sender;
  readonly onTaskEnd: (task: Task) => void;
}

/** What a browser waits for if the stream does not say. */
const defaultRetryMs = 3_000;
/** As `src/web/api/event-stream.ts`. */
const rejectedRetryMs = 2_000;

/**
 * Resolves when the stream has begun.
 *
 * @param client returns the present one
 */
export async function openPageStream(
  client: () => Client,
  { asn, sender, onTaskEnd }: PageOptions,
): Promise<PageStream> {
  const closing = new AbortController();
  const { signal } = closing;
  const ends: TaskEnd[] = [];
  const reconnections: Reconnection[] = [];
  const rejected: number[] = [];
  const opened = Promise.withResolvers<number>();
  let brokenAt: number | null = null;
  let retryMs = defaultRetryMs;

  function onMessage(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    retryMs = Number(field("retry") ?? retryMs);
    const event = field("event");
    if (event === "hello") {
      opened.resolve(Date.now());
      if (brokenAt !== null) reconnections.push({ brokenAt, connectedAt: Date.now() });
      brokenAt = null;
    }
    if (event !== "task") return;
    const task = JSON.parse(field("data") ?? "") as Task;
    if (task.status === "waiting") return;
    ends.push({ taskID: task.taskID, at: Date.now() });
    onTaskEnd(task);
  }

  async function readOnce(): Promise<"ended" | "rejected"> {
    const response = await client().openStream(sender, signal);
    if (response.statusCode !== 200) {
      rejected.push(response.statusCode ?? 0);
      response.resume();
      return "rejected";
    }
    let rest = "";
    for await (const chunk of response.setEncoding("utf8") as AsyncIterable<string>) {
      const blocks = (rest + chunk).split("\n\n");
      rest = blocks.pop() ?? "";
      blocks.forEach(onMessage);
    }
    return "ended";
  }

  async function follow(): Promise<void> {
    let rejections = 0;
    while (!signal.aborted) {
      // A connection that breaks is an error here, and the same for a browser as an end.
      const result = await readOnce().catch(() => "ended" as const);
      brokenAt ??= Date.now();
      rejections = result === "rejected" ? rejections + 1 : 0;
      const waitMs =
        rejections === 0 ? retryMs : rejectedRetryMs * 2 ** (rejections - 1) * (0.5 + Math.random());
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  const following = follow();
  const openedAt = await opened.promise;
  return {
    asn,
    openedAt,
    ends,
    reconnections,
    rejected,
    close: async () => {
      closing.abort();
      await following;
    },
  };
}
