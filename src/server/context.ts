import { Agent } from "node:https";
import { join } from "node:path";
import type { Logger } from "pino";
import { agentProtocol } from "../contract/agent/agent-protocol.ts";
import { type AgentClient, createAgentClient } from "./agents/agent-client.ts";
import { createNodeReader, type NodeReader } from "./agents/node-reader.ts";
import { createNodeTransports, type OpenTransport } from "./agents/node-transports.ts";
import { type KnownClients, openKnownClients } from "./api/known-clients.ts";
import { createLoginSessions, type LoginSessions } from "./api/login-sessions.ts";
import { createRateLimits, type RateLimits } from "./api/rate-limits.ts";
import { noOrigin } from "./audit/audit-event.ts";
import { recordEvent } from "./audit/record-event.ts";
import { takeRestoreNote } from "./backup/restore-note.ts";
import type { Environment } from "./config/environment.ts";
import type { Profile } from "./config/profile.ts";
import { createCommitTimes } from "./db/storage/commit-times.ts";
import { type ClockJumps, watchClock } from "./db/clock-jumps.ts";
import type { Events } from "./db/events.ts";
import type { Locks } from "./db/locks.ts";
import type { DatabaseLimits } from "./db/database-limits.ts";
import { type DatabaseOptions, type Db, openDatabase } from "./db/open.ts";
import { createStorageChecks, type StorageChecks } from "./db/storage/storage-checks.ts";
import type { Sealer } from "./db/secrets/sealer.ts";
import { openSealer } from "./db/secrets/stored-secrets.ts";
import { createMailOutbox, type MailOutbox } from "./mail/outbox.ts";
import { createSmtpDelivery } from "./mail/smtp.ts";
import { createJoinAttempts, type JoinAttempts } from "./nodes/join-attempts.ts";
import { followNodes, type FollowedNodes } from "./nodes/nodes.ts";
import { choosePushContact } from "./push/push-contact.ts";
import { openPushKeys } from "./push/push-keys.ts";
import { createPushOutbox, type PushOutbox } from "./push/push-outbox.ts";
import { createPushSender } from "./push/push-request.ts";
import { createRegistryClone, type RegistryClone } from "./registry/clone/registry-clone.ts";
import { createRegistry, type Registry } from "./registry/registry.ts";
import { createFolderSource, type RegistrySource } from "./registry/registry-source.ts";

/**
 * What the features of a server share. `createContext` constructs each part once; a feature names the parts that it
 * needs with `Pick<AppContext, …>`. Parts that only one feature uses are constructed by that feature.
 */
export interface AppContext {
  readonly environment: Environment;
  readonly profile: Profile;
  readonly log: Logger;
  /** The system's clock, in milliseconds since 1970. */
  readonly clock: () => number;
  readonly clockJumps: ClockJumps;
  /** `clockJumps.retentionClock`: every deletion by age uses it. */
  readonly retentionClock: () => number;
  readonly db: Db;
  /** Whether the database and the data folder can be written, and how fast. */
  readonly storage: StorageChecks;
  readonly events: Events;
  readonly locks: Locks;
  /** The provider's nodes. `startServer` starts to follow them. */
  readonly nodes: FollowedNodes;
  readonly agents: AgentClient;
  /** How the server connects to an agent that joins; null if none can, as in the demo. */
  readonly joining: Joining | null;
  readonly joinAttempts: JoinAttempts;
  readonly nodeReader: NodeReader;
  readonly registry: Registry;
  /** The registry clone that the server keeps current; null if the operator does. */
  readonly registryClone: RegistryClone | null;
  readonly loginSessions: LoginSessions;
  readonly rateLimits: RateLimits;
  readonly knownClients: KnownClients;
  /** Seals and opens the secrets in the database. */
  readonly sealer: Sealer;
  readonly mailOutbox: MailOutbox;
  readonly pushOutbox: PushOutbox;
  /** The server's VAPID public key, base64url. */
  readonly pushPublicKey: string;
}

export interface Joining {
  /** Of the server's certificate for agents. */
  readonly fingerprint: string;
  readonly openTransport: OpenTransport;
  /** The `agentProtocol` of the server. */
  readonly protocol: number;
}

export interface ContextOptions {
  readonly environment: Environment;
  readonly profile: Profile;
  readonly openTransport: OpenTransport;
  /** Of the server's certificate for agents; absent: no agent can join. */
  readonly fingerprint?: string;
  readonly log: Logger;
  /** How long a read of a node serves further callers. */
  readonly maxReadAgeMs: number;
  /** The HTTPS agent for requests to push services; tests pass one that trusts their own service. */
  readonly pushAgent?: Agent;
  /** How long the server waits for its database, where it differs from the default; for tests. */
  readonly databaseLimits?: Partial<DatabaseLimits>;
  /** How SQLite's changes are written to disk; for tests. */
  readonly syncFile?: DatabaseOptions["syncFile"];
  /** Rate limits with other numbers; for tests. */
  readonly limitNumbers?: Parameters<typeof createRateLimits>[1];
  /** The protocol that the server speaks with agents, where it differs from `agentProtocol`; for tests. */
  readonly protocol?: number;
}

/** Opens the database and constructs the context. Disposing it closes every part, the newest first. */
export async function createContext({
  environment,
  profile,
  openTransport,
  fingerprint,
  log,
  maxReadAgeMs,
  pushAgent = new Agent({ keepAlive: true }),
  databaseLimits,
  syncFile,
  limitNumbers,
  protocol = agentProtocol,
}: ContextOptions): Promise<AppContext & AsyncDisposable> {
  await using parts = new AsyncDisposableStack();
  const commitTimes = createCommitTimes({ log });
  const { db, events, locks, createRateLimiter, eraseDeleted, probeWrite } = parts.use(
    await openDatabase({
      dataDir: environment.dataDir,
      url: environment.databaseUrl,
      onError: (error) => log.error({ err: error }, "database connection error"),
      onCommit: (ms) => commitTimes.note(ms),
      syncFile,
      limits: databaseLimits,
      onMigration: (message) => log.warn(message),
      migratesWithoutBackup: environment.migratesWithoutBackup,
    }),
  );
  const { dataDir, secret } = environment;
  const sealer = await openSealer({ db, eraseDeleted, dataDir, secret });
  const nodes = parts.use(followNodes({ db, log }));
  const agents = createAgentClient(parts.use(createNodeTransports(nodes, openTransport)), log, protocol);
  const clockJumps = await watchClock({ db, log });
  const { retentionClock } = clockJumps;
  const clock = Date.now;
  await takeRestoreNote(dataDir, ({ restoredAt, backupOf }) => {
    const detail = `It was restored at ${restoredAt} and had been made at ${backupOf}.`;
    return recordEvent(db, { kind: "backup-restored", asn: null, detail }, noOrigin, clock());
  });
  const unreachableDomains = profile.mail?.unreachableDomains ?? [];
  const deliver = profile.mail && createSmtpDelivery(profile.mail);
  const { supportAddress } = profile;
  const mailOutbox = parts.use(
    createMailOutbox({ db, sealer, locks, clock, retentionClock, log, deliver, supportAddress }),
  );
  const keys = await openPushKeys(db, sealer);
  parts.defer(() => pushAgent.destroy());
  const { subject, problem } = choosePushContact({ ...profile, unreachableDomains });
  if (problem !== null) log.warn(problem);
  const send = createPushSender({ keys, subject, agent: pushAgent });
  const pushOutbox = parts.use(
    createPushOutbox({ db, locks, clock, retentionClock, log, send, pushHosts: profile.pushHosts }),
  );
  const nodeReader = parts.use(createNodeReader(agents, { maxAgeMs: maxReadAgeMs }));
  const { from, maxAgeDays, maintainers } = profile.registry;
  let registryClone: RegistryClone | null = null;
  let registrySource: RegistrySource;
  if ("url" in from) {
    const folder = join(environment.dataDir, "registry");
    const runExclusive = (work: () => Promise<void>) => locks.tryExclusive("registry", work);
    registryClone = parts.use(createRegistryClone({ folder, url: from.url, runExclusive, clock, log }));
    registrySource = registryClone;
  } else {
    registrySource = createFolderSource(from.path);
  }
  const owned = parts.move();
  return {
    environment,
    profile,
    log,
    clock,
    clockJumps,
    retentionClock,
    db,
    storage: createStorageChecks({ dataDir, probeWrite, commitTimes, log }),
    events,
    locks,
    nodes,
    agents,
    joining: fingerprint === undefined ? null : { fingerprint, openTransport, protocol },
    joinAttempts: createJoinAttempts(),
    nodeReader,
    registry: createRegistry({
      source: registrySource,
      maxAgeDays,
      clock,
      log,
      unreachableDomains,
      registryMaintainers: maintainers,
    }),
    registryClone,
    loginSessions: createLoginSessions({ db, events, clock, retentionClock }),
    rateLimits: createRateLimits(createRateLimiter, limitNumbers),
    knownClients: await openKnownClients(db, sealer),
    sealer,
    mailOutbox,
    pushOutbox,
    pushPublicKey: keys.publicKey,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
