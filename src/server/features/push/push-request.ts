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
  /** How long the push service shall keep it for a browser that is away. */
  readonly ttlSeconds: number;
}

/**
 * How a push service took a message. `gone`: the subscription has ended. `later`: no answer, or one that may
 * be another the next time. `refused`: it will never be taken.
 */
export type PushOutcome =
  | { readonly outcome: "taken" | "gone" | "refused"; readonly status: number }
  | {
      readonly outcome: "later";
      /** The status, or a word for the fault of the connection. */
      readonly status: number | string;
      /** As the push service wants it; null where it said nothing. */
      readonly retryAfterMs: number | null;
    };

export interface PushRequestOptions {
  readonly keys: PushKeys;
  /** Who answers for the messages: `mailto:` or an https URL (RFC 8292). */
  readonly subject: string;
  readonly agent: Agent;
}

export type SendPush = (message: OutgoingMessage, signal: AbortSignal) => Promise<PushOutcome>;

const timeoutMs = 10_000;

/**
 * Sends messages, encrypted for their browser, to its push service. Redirects are not followed, and of an
 * answer nothing but its head is read. Rejects where the message cannot be encrypted.
 */
export function createPushRequest({ keys, subject, agent }: PushRequestOptions): SendPush {
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
): Promise<PushOutcome> {
  return new Promise((resolve) => {
    const outgoing = request(endpoint, { method: "POST", headers, agent, signal }, (answer) => {
      // Read to its end, or to the end of its time, for the connection's next message.
      answer.on("error", () => undefined).resume();
      resolve(judge(answer.statusCode ?? 0, answer.headers));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) =>
      resolve({ outcome: "later", status: error.code ?? error.name, retryAfterMs: null }),
    );
    outgoing.end(body);
  });
}

function judge(status: number, headers: IncomingHttpHeaders): PushOutcome {
  if (status >= 200 && status <= 299) return { outcome: "taken", status };
  if (status === 404 || status === 410) return { outcome: "gone", status };
  if (status === 429 || status >= 500) {
    return { outcome: "later", status, retryAfterMs: retryAfterMs(headers["retry-after"]) };
  }
  return { outcome: "refused", status };
}

/** Of seconds; the date that HTTP allows as well is written by no push service. */
function retryAfterMs(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : null;
}
