import { randomUUID } from "node:crypto";
import type { Context } from "hono";

/**
 * The ID of a request in the log, in the audit log, and in the message of an unexpected error. Created when it is first
 * read.
 */
export function readRequestId(context: Context): string {
  const known: unknown = context.get("requestId");
  if (typeof known === "string") return known;
  const id = randomUUID();
  context.set("requestId", id);
  return id;
}
