import type { Logger } from "pino";

/** What the agent's parts need of a pino logger. */
export type Log = Pick<Logger, "info" | "warn" | "error">;
