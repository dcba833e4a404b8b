/** What two programs in a row could read differently in a request's head. */
import type { IncomingMessage } from "node:http";

/** Headers that decide about a request. Node.js takes the first or joins them, and a proxy may take the last. */
const singleHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "content-encoding",
  "content-type",
  "cookie",
  "host",
  "origin",
  "sec-fetch-dest",
  "sec-fetch-mode",
  "sec-fetch-site",
]);

const plainHost = /^(?:[a-z0-9._-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i;

/** Returns a sentence about the request's head, or null if it is clear. */
export function findHeaderFault(
  request: Pick<IncomingMessage, "rawHeaders" | "url" | "headers">,
): string | null {
  const seen = new Set<string>();
  for (const [index, given] of request.rawHeaders.entries()) {
    const name = given.toLowerCase();
    if (index % 2 === 1 || !singleHeaders.has(name)) continue;
    if (seen.has(name)) return `The request has the header ${name} twice.`;
    seen.add(name);
  }
  const { host } = request.headers;
  // HTTP/1.0 has no Host header; of a later version, Node.js requires one.
  if (host === undefined) return null;
  if (!plainHost.test(host)) return "The Host header is not one host.";
  const target = request.url ?? "";
  if (target.startsWith("/") || target === "*") return null;
  return URL.parse(target)?.host === host.toLowerCase()
    ? null
    : "The request is for another host than its Host header.";
}
