/** What a person does in the long form: looks again and again, at charts now and then, and edits a peering rarely. */
import { setTimeout as pause } from "node:timers/promises";
import { asnOf, nodesOf } from "./layout.ts";
import type { Participants } from "./participants.ts";

export interface VisitOptions {
  readonly signal: AbortSignal;
  /** Receives how long a response took, in milliseconds. */
  readonly onResponse: (ms: number) => void;
  readonly onFailure: (message: string) => void;
}

/** A person looks again after up to twice this. */
const lookEveryMs = 5_000;
/** One of so many looks is at the screens with charts, and one of so many is an edit. */
const looksPerChart = 12;
const looksPerEdit = 60;

/** Visits as the AS with this index until the signal aborts. */
export async function visit(participants: Participants, index: number, options: VisitOptions): Promise<void> {
  const { signal, onResponse, onFailure } = options;
  const asn = asnOf(index);
  const nodes = nodesOf(index);

  async function time(request: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now();
    try {
      await request();
      onResponse(performance.now() - startedAt);
    } catch (error) {
      onFailure(String(error));
    }
  }

  async function look(count: number): Promise<void> {
    await time(() => participants.read("getPeerStatus", asn));
    if (count % looksPerChart === 0)
      for (const name of [
        "getPeeringHistory",
        "getNodeSeries",
        "getTrafficSeries",
        "getNodeHistories",
      ] as const)
        await time(() => participants.read(name, asn));
    if (count % looksPerEdit === 0) {
      const node = nodes[(count / looksPerEdit) % nodes.length] ?? "";
      await time(() => participants.submit(asn, node, count));
    }
  }

  // Each begins at another count, so that edits are spread over the time.
  for (let count = index % looksPerEdit; !signal.aborted; count += 1) {
    await pause(Math.random() * 2 * lookEveryMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await look(count);
  }
}
