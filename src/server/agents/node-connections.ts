/**
 * Whether the node agents can be reached, and why not.
 *
 * Invariant: a change is logged once, however many calls fail. A failed call counts only if no other call of the node
 * has succeeded since it began.
 */
import type { Logger } from "pino";
import { ProtocolMismatchError } from "../../contract/agent-protocol.ts";
import { ConnectionRejectedError, UnpinnedCertificateError } from "../../mtls/pinned-connection.ts";
import { shortFingerprint } from "../../mtls/short-fingerprint.ts";

/** Why an agent cannot be reached. */
export interface ConnectionFailure {
  /** The end of a sentence "de01.example.net cannot be reached: …". Without addresses and fingerprints: it is public. */
  readonly reason: string;
  /** What only the log may contain. */
  readonly details: Readonly<Record<string, string>>;
}

export interface NodeConnections {
  /** Notes the start of a call and returns the function that notes its end; null: the agent has responded. */
  begin(node: string): (failure: ConnectionFailure | null) => void;
  /** The reasons of the nodes that could not be reached last, by node name. */
  readFailures(): ReadonlyMap<string, string>;
}

/** @param log null: changes are not logged */
export function createNodeConnections(log: Pick<Logger, "info" | "warn"> | null): NodeConnections {
  const failures = new Map<string, ConnectionFailure>();
  /** The number of successful calls of each node. */
  const successes = new Map<string, number>();

  function noteSuccess(node: string): void {
    successes.set(node, (successes.get(node) ?? 0) + 1);
    if (failures.delete(node)) log?.info({ node }, "the node can be reached again");
  }

  function noteFailure(node: string, failure: ConnectionFailure): void {
    const previous = failures.get(node);
    failures.set(node, failure);
    if (previous && JSON.stringify(previous) === JSON.stringify(failure)) return;
    const { reason, details } = failure;
    log?.warn({ node, ...details }, `the node cannot be reached: ${reason}`);
  }

  return {
    begin(node) {
      const before = successes.get(node);
      return (failure) => {
        if (failure === null) noteSuccess(node);
        else if (successes.get(node) === before) noteFailure(node, failure);
      };
    },
    readFailures: () => new Map(Array.from(failures, ([node, { reason }]) => [node, reason])),
  };
}

const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused, the agent may be off",
  ECONNRESET: "the connection was reset",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to it",
  ENOTFOUND: "its hostname does not resolve",
  EAI_AGAIN: "its hostname does not resolve",
  ETIMEDOUT: "it did not respond in time",
};

/** Describes why a call had no response. */
export function describeFailure(error: unknown): ConnectionFailure {
  if (error instanceof UnpinnedCertificateError) {
    return {
      reason: "its certificate is not the one that the provider profile pins",
      details: { expected: shortFingerprint(error.pinned), presented: shortFingerprint(error.presented) },
    };
  }
  if (error instanceof ConnectionRejectedError) {
    return {
      reason: "it ended the connection, its server_fingerprints may lack the one of this server",
      details: { presented: shortFingerprint(error.presented) },
    };
  }
  if (error instanceof ProtocolMismatchError) return { reason: error.message, details: {} };
  const { name, code = "", message } = error as NodeJS.ErrnoException;
  if (name === "TimeoutError") return { reason: "it did not respond in time", details: {} };
  return { reason: networkReasons[code] ?? "the connection failed", details: { cause: message } };
}
