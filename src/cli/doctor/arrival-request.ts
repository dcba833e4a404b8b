import { randomBytes } from "node:crypto";
import {
  type Arrival,
  arrivalHeaders,
  arrivalPath,
  arrivalPauseMs,
  isProof,
  proveIdentity,
} from "#server/features/health/arrival-route.ts";
import { callLimitMs } from "./doctor-context.ts";

export interface ArrivalResult {
  readonly status: number;
  /** Null if the response is not from a server on the database. */
  readonly arrival: Arrival | null;
  /** Whether the stream's first event came before its end; false if that was not measured. */
  readonly isStreamed: boolean;
}

interface ArrivalOptions {
  /** That the request has besides. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether to wait for the end of the stream. */
  readonly isTimed?: boolean;
}

/**
 * Asks the server behind a URL how the request has arrived. Rejects as `fetch` does, and with a `TimeoutError`.
 *
 * @param identity of the database
 */
export async function requestArrival(
  origin: string,
  identity: string,
  { headers = {}, isTimed = false }: ArrivalOptions = {},
): Promise<ArrivalResult> {
  const nonce = randomBytes(16).toString("hex");
  const response = await fetch(new URL(arrivalPath, origin), {
    headers: {
      ...headers,
      accept: "text/event-stream",
      [arrivalHeaders.nonce]: nonce,
      [arrivalHeaders.proof]: proveIdentity(identity, "doctor", nonce),
    },
    redirect: "manual",
    signal: AbortSignal.timeout(callLimitMs),
  });
  const { text, firstMs, lastMs } = await readTimed(response, isTimed);
  const arrival = parseArrival(text);
  const isOwn = arrival !== null && isProof(arrival.proof, proveIdentity(identity, "server", nonce));
  return {
    status: response.status,
    arrival: isOwn ? arrival : null,
    isStreamed: lastMs - firstMs > arrivalPauseMs / 2,
  };
}

/** A response of this server is shorter. */
const maxLength = 4_096;

async function readTimed({ body }: Response, isTimed: boolean) {
  let text = "";
  let [firstMs, lastMs] = [0, 0];
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    lastMs = performance.now();
    if (text === "") firstMs = lastMs;
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > maxLength || (!isTimed && text.includes("\n\n"))) break;
  }
  return { text, firstMs, lastMs };
}

function parseArrival(text: string): Arrival | null {
  const [, json = ""] = /^data: (\{.*\})$/m.exec(text) ?? [];
  try {
    // Only a server that proves that it is the right one is believed.
    return JSON.parse(json) as Arrival;
  } catch {
    return null;
  }
}
