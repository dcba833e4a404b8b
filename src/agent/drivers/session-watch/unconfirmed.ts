/**
 * Which BGP connections get no further: the other end has confirmed nothing of what waits to be sent between two looks.
 * BIRD does not see it. It counts a route as exported when it has put it into the buffer.
 */
import type { Connection } from "./parse-connections.ts";

export interface ConnectionReading extends Connection {
  readonly readAt: number;
  /** Since when the other end has confirmed nothing; null while it confirms, and after a first look. */
  readonly unconfirmedSince: number | null;
}

/**
 * TCP repeats a packet nine times in 50 s. A lossy line can lose a small packet that often, but hardly all packets of a large
 * update: its packets are repeated on their own.
 */
const minSeconds = { small: 60, large: 20 } as const;
/** The keepalives that are sent during a hold time are smaller. */
const minLargeBytes = 512;

/** @param previous the reading of the look before */
export function readConnection(
  previous: ConnectionReading | undefined,
  connection: Connection,
  now: number,
): ConnectionReading {
  const isWaiting =
    previous?.identity === connection.identity &&
    connection.confirmedBytes !== null &&
    previous.confirmedBytes === connection.confirmedBytes &&
    previous.queuedBytes > 0 &&
    connection.queuedBytes > 0;
  const unconfirmedSince = isWaiting ? (previous.unconfirmedSince ?? previous.readAt) : null;
  return { ...connection, readAt: now, unconfirmedSince };
}

/** Returns for how long nothing has been confirmed; null while that is not longer than a working connection may take. */
export function unconfirmedSeconds({
  unconfirmedSince,
  readAt,
  queuedBytes,
}: ConnectionReading): number | null {
  if (unconfirmedSince === null) return null;
  const seconds = Math.round((readAt - unconfirmedSince) / 1000);
  return seconds >= (queuedBytes < minLargeBytes ? minSeconds.small : minSeconds.large) ? seconds : null;
}

/** Whether more than keepalives has waited since the look before: the neighbour lacks some of what BIRD has exported. */
export function isSendingRoutes({ unconfirmedSince, queuedBytes }: ConnectionReading): boolean {
  return unconfirmedSince !== null && queuedBytes >= minLargeBytes;
}

/**
 * The least and the longest silence before the end of a session of which its hold timer is the likely cause. BIRD ends a session
 * with a hold time of 90 s after 68 to 90 s. A neighbour that asks for no hold time sends no keepalives.
 */
const silenceMs = {
  /** A neighbour sends a keepalive every 30 s, and the last look was at most 15 s before. */
  received: { min: 60_000, max: 150_000 },
  /** The silence began up to 15 s before the first look. */
  confirmed: { min: 40_000, max: 150_000 },
} as const;

/** Whether the hold timer is the likely cause of the end of a connection since its last reading. */
export function wasOverdue(
  { readAt, receivedAgoMs, unconfirmedSince }: ConnectionReading,
  now: number,
): boolean {
  return (
    (receivedAgoMs !== null && isWithin(receivedAgoMs + now - readAt, silenceMs.received)) ||
    (unconfirmedSince !== null && isWithin(now - unconfirmedSince, silenceMs.confirmed))
  );
}

function isWithin(ms: number, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return ms >= min && ms <= max;
}
