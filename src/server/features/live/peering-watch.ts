/**
 * Watches the nodes on which subscribers have peerings, and sends the status of a peering when it changes.
 *
 * Invariants:
 * - Without a subscriber no node is read. With any number of them a node is read once per interval, and not
 *   again before it has responded.
 * - The first status of a peering is not a change. Later ones are compared with the latest that the AS received, in an
 *   event or in a response of this server.
 * - Reports of one peering are sent in the order of their requests, and none is followed by an older status.
 */
import type { Logger } from "pino";
import type { PeerStatus } from "#contract/entities.ts";
import { explainFinding, type FindingCode, rowOf } from "#domain/findings/findings.ts";
import { findingsOf } from "#domain/findings/status-findings.ts";
import { missingHandshakes } from "../../agents/awaited-router.ts";
import { maxReadMs, type NodeReader } from "../../agents/node-reader.ts";
import {
  type Observed,
  type PeeringSubject,
  presentPeerStatus,
  readObserved,
} from "../../agents/peer-status.ts";
import type { Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import { createJobLoop } from "../../jobs/job-loop.ts";
import type { Nodes } from "../../nodes/nodes.ts";
import { findSettlingPeerings, type SettlingPeerings } from "../peerings/deployment/settling.ts";
import { findUnfinishedOfPeering, presentDeployment } from "../peerings/deployment/task-store.ts";
import { findNewNodeKeys, type NewNodeKeys } from "../peerings/node-keys/confirm-node-keys.ts";
import { type AnnouncedKeys, findAnnouncedKeys } from "../peerings/node-keys/rekey-rows.ts";
import { findDesired } from "../peerings/desired-peerings.ts";
import { peeringKey } from "../peerings/peering-key.ts";
import { findSessionStatesOf } from "../peerings/observed/sessions.ts";

export interface PeeringWatchDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "domain">;
  readonly nodes: Pick<Nodes, "find">;
  readonly nodeReader: NodeReader;
  readonly clock: () => number;
  readonly log: Logger;
  readonly everyMs: number;
  readonly subscribedAsns: () => ReadonlySet<string>;
  readonly isSubscribed: (asn: string) => boolean;
  /** `status` is null for a peering that was deleted. */
  readonly send: (asn: string, node: string, status: PeerStatus | null) => void;
}

export interface PeeringWatch extends AsyncDisposable {
  start(): void;
  /** Reads the status of one peering and sends it, changed or not. */
  report(asn: string, node: string): void;
  /**
   * A response contains this status. It may have lasted for less than an interval, and the app reads again only after a
   * minute if no event follows.
   */
  noteResponse(subject: PeeringSubject, observed: Observed): void;
}

export function createPeeringWatch(deps: PeeringWatchDeps): PeeringWatch {
  const { db, nodes, nodeReader, clock, log, subscribedAsns, isSubscribed, send } = deps;
  const closing = new AbortController();
  const { signal } = closing;
  const { domain } = deps.profile;
  const polls = new Map<string, Promise<void>>();
  const reports = new Map<string, Promise<void>>();
  /** By node: when its latest report was requested, as `performance.now()`. */
  const reportedAt = new Map<string, number>();
  /** By node, then by AS: the key of the latest status that the AS received. */
  let seen = new Map<string, Map<string, string>>();
  const polling = createJobLoop({
    pollMs: deps.everyMs,
    run: pollSubscribedNodes,
    onError: (error) => log.error({ err: error }, "watching the peerings failed"),
  });

  async function pollSubscribedNodes(): Promise<void> {
    const asns = [...subscribedAsns()];
    if (asns.length === 0) {
      seen = new Map();
      return;
    }
    const rows = await db.selectFrom("peerings").select(["asn", "node"]).where("asn", "in", asns).execute();
    const known = await readKnown(asns);
    const watched = Map.groupBy(rows, ({ node }) => node);
    for (const node of seen.keys()) if (!watched.has(node)) seen.delete(node);
    for (const [node, peerings] of watched) {
      if (polls.has(node)) continue;
      const poll = pollNode(
        node,
        peerings.map(({ asn }) => toSubject(asn, node, known)),
      );
      polls.set(
        node,
        poll.catch(logFailure(node)).finally(() => polls.delete(node)),
      );
    }
  }

  async function pollNode(node: string, subjects: readonly PeeringSubject[]): Promise<void> {
    const startedAt = performance.now();
    const observed = await readObserved(nodeReader, node, { timeoutMs: maxReadMs, signal });
    if (signal.aborted || (reportedAt.get(node) ?? 0) >= startedAt) return;
    const before = seen.get(node);
    const now = new Map(subjects.map((subject) => [subject.asn, toStatusKey(subject, observed)]));
    seen.set(node, now);
    for (const subject of subjects) {
      const previousKey = before?.get(subject.asn);
      if (previousKey !== undefined && previousKey !== now.get(subject.asn))
        await sendStatus(subject, observed);
    }
  }

  async function readKnown(asns: readonly string[]): Promise<Known> {
    const [newKeys, announced, settling] = await Promise.all([
      findNewNodeKeys(db, asns),
      findAnnouncedKeys(db, asns),
      findSettlingPeerings(db, asns, clock()),
    ]);
    return { newKeys, announced, settling };
  }

  const toSubject = (asn: string, node: string, { newKeys, announced, settling }: Known): PeeringSubject => ({
    asn,
    node,
    domain,
    newNodeKey: newKeys.get(asn)?.get(node) ?? null,
    announcedKey: announced.get(asn)?.get(node) ?? null,
    isAwaited: settling.isAwaited(asn, node),
    isDraining: nodes.find(node)?.state === "draining",
  });

  async function sendStatus(subject: PeeringSubject, observed: Observed): Promise<void> {
    const { asn, node } = subject;
    const [task, states] = await Promise.all([
      findUnfinishedOfPeering(db, asn, node),
      findSessionStatesOf(db, asn, node),
    ]);
    const stored = { states, now: clock() };
    send(asn, node, presentPeerStatus(subject, observed, presentDeployment(task ?? undefined), stored));
  }

  async function readAndSend(node: string, asn: string): Promise<void> {
    if (signal.aborted || !isSubscribed(asn)) return;
    if (!(await findDesired(db, asn, node))) {
      send(asn, node, null);
      return;
    }
    const subject = toSubject(asn, node, await readKnown([asn]));
    const observed = await readObserved(nodeReader, node, { timeoutMs: maxReadMs, signal });
    if (signal.aborted) return;
    noteSent(subject, observed);
    await sendStatus(subject, observed);
  }

  function noteSent(subject: PeeringSubject, observed: Observed): void {
    const known = seen.get(subject.node) ?? new Map<string, string>();
    seen.set(subject.node, known.set(subject.asn, toStatusKey(subject, observed)));
  }

  function logFailure(node: string) {
    return (error: unknown) => {
      if (!signal.aborted) log.error({ err: error, node }, "watching the peerings of a node failed");
    };
  }

  return {
    start: () => polling.start(),
    report(asn, node) {
      reportedAt.set(node, performance.now());
      const key = peeringKey({ asn, node });
      const report = (reports.get(key) ?? Promise.resolve())
        .then(() => readAndSend(node, asn))
        .catch(logFailure(node))
        .finally(() => {
          if (reports.get(key) === report) reports.delete(key);
        });
      reports.set(key, report);
    },
    noteResponse(subject, observed) {
      if (isSubscribed(subject.asn)) noteSent(subject, observed);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await polling[Symbol.asyncDispose]();
      await Promise.all([...polls.values(), ...reports.values()]);
    },
  };
}

/** Read for all watched peerings together. */
interface Known {
  readonly newKeys: NewNodeKeys;
  readonly announced: AnnouncedKeys;
  readonly settling: SettlingPeerings;
}

/** The times of sessions do not count, because they follow from the states that do. */
const noTimes = { states: [], now: 0 };

/** Texts that have numbers which change with every reading. */
const countingFindings: ReadonlySet<string> = new Set([
  "packet-loss",
  ...missingHandshakes,
] satisfies FindingCode[]);

/**
 * What counts as a change: everything but byte counters, the handshake's age, latency, and the routes that a full table
 * changes every few seconds. The number of refused routes counts, and how often a session ended.
 */
function toStatusKey(subject: PeeringSubject, observed: Observed): string {
  const status = presentPeerStatus(subject, observed, null, noTimes);
  const { state } = status.wg_status;
  const sessions = status.sessions.map(({ routes, since: _since, ...session }) => ({
    ...session,
    refused: routes?.map(({ refused }) => refused),
  }));
  const findings = findingsOf(status).map((finding) =>
    rowOf(finding).segment === "routes" || countingFindings.has(finding.code)
      ? finding.code
      : explainFinding(finding),
  );
  return JSON.stringify([status.known, state, findings, status.bgp_status, sessions]);
}
