/** What the parts of the load have in common. */
import type { Random } from "../random.ts";
import type { Record } from "./record.ts";

/** Work of one kind, by one participant. */
export interface Work {
  /** Works until the signal aborts, and may leave changes whose end it does not know. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Finds out how each change ended, and throws `InvariantError` if what the server says contradicts what it confirmed. */
  readonly settle: () => Promise<void>;
}

export interface WorkOptions {
  readonly url: string;
  readonly asn: string;
  readonly password: string;
  readonly random: Random;
  readonly record: Record;
}
