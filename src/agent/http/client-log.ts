/**
 * Logs which servers connect and which clients the agent rejects.
 *
 * Invariant: a client that connects again and again is logged once. Whatever connects from other addresses can neither
 * fill the log nor hide a client from the addresses of the servers: each has its own limit of a line a minute.
 */
import { shortFingerprint } from "../../mtls/short-fingerprint.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { createThrottledWarning } from "../throttled-warning.ts";

export interface ClientLogOptions {
  readonly log: Pick<Log, "info" | "warn">;
  readonly clock: Pick<Clock, "now">;
  /** The pinned fingerprints, canonical. */
  readonly expected: readonly string[];
  /** Whether the address is known as one of a server. */
  readonly isServerAddress: (address: string) => boolean;
}

/** How many rejected fingerprints are remembered. */
const maxRejected = 64;

export function createClientLog({ log, clock, expected, isServerAddress }: ClientLogOptions) {
  const createWarning = () =>
    createThrottledWarning(log, clock, "rejected a connection: the client certificate is not pinned");
  const warnings = { listed: createWarning(), other: createWarning() };
  const accepted = new Set<string>();
  /** Oldest first. */
  const rejected = new Set<string>();
  return {
    noteAccepted(fingerprint: string, address: string): void {
      if (accepted.has(fingerprint)) return;
      accepted.add(fingerprint);
      log.info({ fingerprint: shortFingerprint(fingerprint), address }, "a server has connected");
    },
    /** @param fingerprint null: the client has no certificate */
    noteRefused(fingerprint: string | null, address: string): void {
      const isListed = isServerAddress(address);
      const client = `${isListed} ${fingerprint}`;
      if (rejected.has(client)) return;
      const isLogged = warnings[isListed ? "listed" : "other"]({
        presented: fingerprint === null ? "none" : shortFingerprint(fingerprint),
        expected: expected.map(shortFingerprint),
        address,
      });
      // Otherwise it is logged when it connects after the minute.
      if (!isLogged) return;
      rejected.add(client);
      const [oldest] = rejected;
      if (rejected.size > maxRejected && oldest !== undefined) rejected.delete(oldest);
    },
  };
}
