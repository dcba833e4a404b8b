/** nginx's status of a request whose client disconnected. No client receives it; it is in the log of requests. */
export const clientClosedRequest = 499;

/**
 * Whether a request failed because its client disconnected while it sent the body, which is no fault of the program. Any
 * part that reads the body throws Node.js's error, and also the response of another program may end with one like it.
 */
export function isAbortedRequest(error: Error, request: Request): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ECONNRESET" && error.message === "aborted" && request.signal.aborted;
}
