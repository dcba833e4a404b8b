/**
 * Whether the node agents can be reached, and why not.
 *
 * Invariant: a change is logged once, however many calls fail. A failed call counts only if no other call of the node
 * has succeeded since it began.
 */
import type { Logger } from "pino";
import { ProtocolMismatchError } from "../../contract/agent/agent-protocol.ts";
import { describeToOperator, type Finding } from "../../domain/findings/findings.ts";
import type { UnreachableCause } from "../../domain/findings/table/node-findings.ts";
import { ConnectionRejectedError, UnpinnedCertificateError } from "../../mtls/pinned-connection.ts";
import { shortFingerprint } from "../../mtls/short-fingerprint.ts";

/** Why an agent cannot be reached. */
export interface ConnectionFailure {
  readonly finding: (host: string) => Finding;
  /** What only the log may contain. */
  readonly details: Readonly<Record<string, string>>;
}

export interface NodeConnections {
  /** Notes the start of a call and returns the function that notes its end; null: the agent has responded. */
  begin(node: string): (failure: ConnectionFailure | null) => void;
  /** Why nodes could not be reached last, by node name. The findings are for everyone. */
  readFailures(): ReadonlyMap<string, (host: string) => Finding>;
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
    if (previous && isSameFailure(previous, failure, node)) return;
    log?.warn({ node, ...failure.details }, describeToOperator(failure.finding(node)));
  }

  return {
    begin(node) {
      const before = successes.get(node);
      return (failure) => {
        if (failure === null) noteSuccess(node);
        else if (successes.get(node) === before) noteFailure(node, failure);
      };
    },
    readFailures: () => new Map(Array.from(failures, ([node, { finding }]) => [node, finding])),
  };
}

const networkCauses: Readonly<Record<string, UnreachableCause>> = {
  ECONNREFUSED: "refused",
  ECONNRESET: "reset",
  EHOSTUNREACH: "no-route",
  ENETUNREACH: "no-route",
  ENOTFOUND: "no-address",
  EAI_AGAIN: "no-address",
  ETIMEDOUT: "timeout",
};

function isSameFailure(a: ConnectionFailure, b: ConnectionFailure, node: string): boolean {
  const textOf = ({ finding, details }: ConnectionFailure) => JSON.stringify([finding(node), details]);
  return textOf(a) === textOf(b);
}

function unreachable(cause: UnreachableCause): (host: string) => Finding {
  return (host) => ({ code: "node-unreachable", facts: { host, cause } });
}

export function protocolFinding({ agent, server }: ProtocolMismatchError, host: string): Finding {
  return { code: "node-upgrading", facts: { host, agentProtocol: agent, serverProtocol: server } };
}

/** Why a call had no response. */
export function findConnectionFailure(error: unknown): ConnectionFailure {
  if (error instanceof UnpinnedCertificateError) {
    return {
      finding: unreachable("wrong-certificate"),
      details: { expected: shortFingerprint(error.pinned), presented: shortFingerprint(error.presented) },
    };
  }
  if (error instanceof ConnectionRejectedError) {
    return {
      finding: unreachable("server-rejected"),
      details: { presented: shortFingerprint(error.presented) },
    };
  }
  if (error instanceof ProtocolMismatchError)
    return { finding: (host) => protocolFinding(error, host), details: {} };
  const { name, code = "", message } = error as NodeJS.ErrnoException;
  if (name === "TimeoutError") return { finding: unreachable("timeout"), details: {} };
  return { finding: unreachable(networkCauses[code] ?? "other"), details: { error: message } };
}
