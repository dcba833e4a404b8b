import { type Agent, request } from "node:https";
import type { IncomingHttpHeaders } from "node:http";
import webPush from "web-push";
import type { PushKeys } from "./push-keys.ts";

export interface OutgoingMessage {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly topic: string;
  readonly payload: string;
  /** How long the push service stores the message for an offline browser. */
  readonly ttlSeconds: number;
}

/**
 * How a push service responded. `gone`: the subscription has ended. `rejected`: it will never accept the message.
 * `retry`: there was no response, or the status is temporary.
 */
export type PushResult =
  | { readonly outcome: "delivered" | "gone" | "rejected"; readonly status: number }
  | {
      readonly outcome: "retry";
      /** The HTTP status, or the code of the connection error. */
      readonly status: number | string;
      /** From the Retry-After header; null without one. */
      readonly retryAfterMs: number | null;
    };

export interface PushRequestOptions {
  readonly keys: PushKeys;
  /** The sender's contact: `mailto:` or an https URL (RFC 8292). */
  readonly subject: string;
  readonly agent: Agent;
}

export type SendPush = (message: OutgoingMessage, signal: AbortSignal) => Promise<PushResult>;

const timeoutMs = 10_000;

/**
 * Returns a function that encrypts a message for its browser and sends it to the push service. It does not follow
 * redirects and ignores response bodies. It rejects if the message cannot be encrypted.
 */
export function createPushSender({ keys, subject, agent }: PushRequestOptions): SendPush {
  const vapidDetails = { subject, ...keys };
  return async ({ endpoint, p256dh, auth, topic, payload, ttlSeconds }, signal) => {
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      vapidDetails,
      TTL: ttlSeconds,
      urgency: "high",
      topic,
    });
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return post(endpoint, headers, body, agent, limit);
  };
}

function post(
  endpoint: string,
  headers: Readonly<Record<string, string | number>>,
  body: unknown,
  agent: Agent,
  signal: AbortSignal,
): Promise<PushResult> {
  return new Promise((resolve) => {
    const outgoing = request(endpoint, { method: "POST", headers, agent, signal }, (response) => {
      // The body is read to its end, or to the timeout, so that the connection can be reused.
      response.on("error", () => undefined).resume();
      resolve(toResult(response.statusCode ?? 0, response.headers));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) =>
      resolve({ outcome: "retry", status: error.code ?? error.name, retryAfterMs: null }),
    );
    outgoing.end(body);
  });
}

function toResult(status: number, headers: IncomingHttpHeaders): PushResult {
  if (status >= 200 && status <= 299) return { outcome: "delivered", status };
  if (status === 404 || status === 410) return { outcome: "gone", status };
  if (status === 429 || status >= 500) {
    return { outcome: "retry", status, retryAfterMs: retryAfterMs(headers["retry-after"]) };
  }
  return { outcome: "rejected", status };
}

/** Parses a number of seconds. HTTP also allows a date, which no push service sends. */
function retryAfterMs(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : null;
}
