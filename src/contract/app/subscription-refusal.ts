import { CallError } from "../client.ts";

/** Error responses of 4xx that another attempt may not get: they concern the login session, the time or the load. */
const passingErrors = new Set([401, 403, 408, 409, 425, 429]);

/** Whether a server has refused a push subscription for good, so that it would refuse the same one again. */
export function isSubscriptionRefused(error: unknown): boolean {
  return (
    error instanceof CallError &&
    error.status >= 400 &&
    error.status < 500 &&
    !passingErrors.has(error.status)
  );
}
