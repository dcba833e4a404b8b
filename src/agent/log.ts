import type { Logger } from "pino";

/** The part of a pino logger that the agent uses. */
export type Log = Pick<Logger, "info" | "warn" | "error">;
