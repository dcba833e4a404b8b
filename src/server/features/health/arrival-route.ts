/**
 * Tells `peerdeck doctor` how its request has arrived, so that it finds a reverse proxy that hides clients, or that holds
 * event streams back.
 *
 * Invariant: only a client that knows the database's identity, as the doctor does, learns that the path exists. The
 * identity itself is never sent.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { type Context, Hono } from "hono";
import { contains, formatAddress } from "#domain/prefix.ts";
import { readPeer } from "../../api/client-address.ts";
import { streamHeaders } from "../../api/stream-headers.ts";
import { findPublicUrl } from "#domain/public-urls.ts";
import { readVersion } from "../../config/version.ts";
import type { AppContext } from "../../context.ts";
import { readDatabaseIdentity } from "../../db/database-identity.ts";

export const arrivalPath = "/arrival";
export const arrivalHeaders = { nonce: "peerdeck-nonce", proof: "peerdeck-proof" } as const;

/** The stream ends so long after its first event. A proxy that buffers sends both at once. */
export const arrivalPauseMs = 1_000;

export interface Arrival {
  /** Shows that the response is from a server on the same database. */
  readonly proof: string;
  readonly version: string;
  /** Where the connection came from: the last proxy, or the client itself. */
  readonly peer: string;
  readonly isTrusted: boolean;
  /** `X-Forwarded-For`, as it arrived. */
  readonly forwardedFor: string | null;
  /** The public URL that the request used, by its Host header. */
  readonly publicUrl: string;
}

/** Returns a text that only a side which knows the identity of the database can create for this nonce. */
export function proveIdentity(identity: string, side: "doctor" | "server", nonce: string): string {
  return createHmac("sha256", identity).update(`${side} ${nonce}`).digest("hex");
}

export function isProof(given: string | undefined, expected: string): boolean {
  const [a, b] = [given ?? "", expected].map((text) => Buffer.from(text));
  return a !== undefined && b !== undefined && a.length === b.length && timingSafeEqual(a, b);
}

type ArrivalContext = Pick<AppContext, "db" | "profile">;

export function arrivalRoute({ db, profile }: ArrivalContext): Hono {
  return new Hono().get(arrivalPath, async (context, next) => {
    const nonce = context.req.header(arrivalHeaders.nonce) ?? "";
    if (!/^[0-9a-f]{32}$/.test(nonce)) return next();
    const identity = await readDatabaseIdentity(db);
    const given = context.req.header(arrivalHeaders.proof);
    if (!isProof(given, proveIdentity(identity, "doctor", nonce))) return next();
    const arrival = describeArrival(context, profile, proveIdentity(identity, "server", nonce));
    return context.body(streamOf(arrival), 200, streamHeaders);
  });
}

function describeArrival(context: Context, profile: ArrivalContext["profile"], proof: string): Arrival {
  const peer = readPeer(context);
  return {
    proof,
    version: readVersion(),
    peer: peer === null ? "unknown" : formatAddress(peer),
    isTrusted: peer !== null && profile.trustedProxies.some((range) => contains(range, peer)),
    forwardedFor: context.req.header("x-forwarded-for") ?? null,
    publicUrl: findPublicUrl(profile, context.req.header("host")),
  };
}

function streamOf(arrival: Arrival): ReadableStream {
  let timer: NodeJS.Timeout | undefined;
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(`data: ${JSON.stringify(arrival)}\n\n`));
      timer = setTimeout(() => {
        controller.enqueue(encoder.encode("event: end\ndata:\n\n"));
        controller.close();
      }, arrivalPauseMs);
    },
    cancel: () => clearTimeout(timer),
  });
}
