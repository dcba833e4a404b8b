import { Agent } from "node:https";
import type { Logger } from "pino";
import type { Transport } from "../contract/client.ts";
import { type AgentClient, createAgentClient } from "./agents/agent-client.ts";
import { createNodeReader, type NodeReader } from "./agents/node-reader.ts";
import { createLoginSessions, type LoginSessions } from "./api/login-sessions.ts";
import { createRateLimits, type RateLimits } from "./api/rate-limits.ts";
import type { Environment } from "./config/environment.ts";
import type { Profile } from "./config/profile.ts";
import type { Events } from "./db/events.ts";
import type { Locks } from "./db/locks.ts";
import { type Db, openDatabase } from "./db/open.ts";
import { createMailOutbox, type MailOutbox } from "./mail/outbox.ts";
import { createSmtpDelivery } from "./mail/smtp.ts";
import { openPushKeys } from "./push/push-keys.ts";
import { createPushOutbox, type PushOutbox } from "./push/push-outbox.ts";
import { createPushSender } from "./push/push-request.ts";
import { createRegistry, type Registry } from "./registry/registry.ts";

/**
 * What the features of a server share. `createContext` constructs each part once; a feature names the parts that it
 * needs with `Pick<AppContext, …>`. Parts that only one feature uses are constructed by that feature.
 */
export interface AppContext {
  readonly environment: Environment;
  readonly profile: Profile;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly db: Db;
  readonly events: Events;
  readonly locks: Locks;
  readonly agents: AgentClient;
  readonly nodeReader: NodeReader;
  readonly registry: Registry;
  readonly loginSessions: LoginSessions;
  readonly rateLimits: RateLimits;
  readonly mailOutbox: MailOutbox;
  readonly pushOutbox: PushOutbox;
  /** The server's VAPID public key, base64url. */
  readonly pushPublicKey: string;
}

export interface ContextOptions {
  readonly environment: Environment;
  readonly profile: Profile;
  /** The transport to each node's agent, by node name. */
  readonly transports: ReadonlyMap<string, Transport>;
  readonly log: Logger;
  /** How long a read of a node serves further callers. */
  readonly maxReadAgeMs: number;
  /** The HTTPS agent for requests to push services; tests pass one that trusts their own service. */
  readonly pushAgent?: Agent;
}

const clock = () => Date.now();

/** Opens the database and constructs the context. Disposing it closes every part, the newest first. */
export async function createContext({
  environment,
  profile,
  transports,
  log,
  maxReadAgeMs,
  pushAgent = new Agent({ keepAlive: true }),
}: ContextOptions): Promise<AppContext & AsyncDisposable> {
  await using parts = new AsyncDisposableStack();
  const { db, events, locks } = parts.use(
    await openDatabase({
      dataDir: environment.dataDir,
      url: environment.databaseUrl,
      onError: (error) => log.error({ err: error }, "database connection error"),
    }),
  );
  const deliver = profile.mail && createSmtpDelivery(profile.mail);
  const mailOutbox = parts.use(createMailOutbox({ db, locks, clock, log, deliver }));
  const keys = await openPushKeys(db);
  parts.defer(() => pushAgent.destroy());
  const send = createPushSender({ keys, subject: `mailto:${profile.supportAddress}`, agent: pushAgent });
  const pushOutbox = parts.use(
    createPushOutbox({ db, locks, clock, log, send, pushHosts: profile.pushHosts }),
  );
  const agents = createAgentClient(transports);
  const nodeReader = parts.use(createNodeReader(agents, { maxAgeMs: maxReadAgeMs }));
  const owned = parts.move();
  return {
    environment,
    profile,
    log,
    clock,
    db,
    events,
    locks,
    agents,
    nodeReader,
    registry: createRegistry({ ...profile.registry, clock }),
    loginSessions: createLoginSessions({ db, events, clock }),
    rateLimits: createRateLimits(),
    mailOutbox,
    pushOutbox,
    pushPublicKey: keys.publicKey,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
