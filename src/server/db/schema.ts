/** Tables as Kysely sees them. Times are milliseconds since 1970 by the server's clock; JSON is text. */
import type { ColumnType } from "kysely";

export interface Schema {
  accounts: AccountsTable;
  account_tokens: AccountTokensTable;
  sessions: SessionsTable;
  outbox: OutboxTable;
  counters: CountersTable;
  node_facts: NodeFactsTable;
  peerings: PeeringsTable;
  tasks: TasksTable;
  node_samples: NodeSamplesTable;
  node_days: NodeDaysTable;
  traffic_samples: TrafficSamplesTable;
  push_keys: PushKeysTable;
  push_subscriptions: PushSubscriptionsTable;
  push_messages: PushMessagesTable;
  session_alerts: SessionAlertsTable;
  contact_messages: ContactMessagesTable;
}

type FixedAtInsert<T> = ColumnType<T, T, never>;

interface AccountsTable {
  asn: FixedAtInsert<string>;
  password_hash: string;
  created_at: FixedAtInsert<number>;
}

/** One row an AS: a newer token takes the place of the older. */
interface AccountTokensTable {
  /** SHA-256 of the token, base64url. */
  hash: string;
  asn: FixedAtInsert<string>;
  purpose: "registration" | "reset";
  expires_at: number;
}

interface SessionsTable {
  /** SHA-256 of the cookie's token, base64url. */
  hash: FixedAtInsert<string>;
  asn: FixedAtInsert<string>;
  created_at: FixedAtInsert<number>;
  expires_at: number;
}

interface OutboxTable {
  /** Sorts by the order in which the mails were written. */
  id: FixedAtInsert<string>;
  recipient: FixedAtInsert<string>;
  subject: FixedAtInsert<string>;
  /** Emptied once it is handed over: it may hold a token. */
  body: string;
  reply_to: FixedAtInsert<string | null>;
  created_at: FixedAtInsert<number>;
  attempts: number;
  next_attempt_at: number;
  /** Null until it was handed over. */
  sent_at: number | null;
  last_error: string | null;
}

interface CountersTable {
  name: FixedAtInsert<"generation">;
  value: number;
}

interface NodeFactsTable {
  node: FixedAtInsert<string>;
  public_key: string;
  seen_at: number;
}

interface PeeringsTable {
  asn: FixedAtInsert<string>;
  node: FixedAtInsert<string>;
  /** The number of this desired state; every change takes a higher one. */
  generation: number;
  /** The generation that brought its content: restoring and repairing take new generations, but no new revision. */
  revision: number;
  /** 1: shall run; 0: is being deleted. */
  present: number;
  /** `PeeringRequest` as JSON: what was asked for. */
  request: string;
  /** `Peering` as JSON: what the agent gets. */
  peering: string;
  listen_port: number;
  peer_ipv4: string | null;
  peer_ipv6: string | null;
  public_key: string;
}

interface TasksTable {
  id: FixedAtInsert<string>;
  asn: FixedAtInsert<string>;
  node: FixedAtInsert<string>;
  kind: FixedAtInsert<"deploy" | "delete">;
  status: "waiting" | "success" | "failed" | "error";
  /** The generation that it deploys. */
  generation: number;
  /** `PeeringRequest` as JSON for a deploy: the same again is the same task. Null for a delete. */
  request: FixedAtInsert<string | null>;
  /** The peering's row before, as JSON of `DesiredPeering`, to restore; null where there was none. */
  previous: FixedAtInsert<string | null>;
  quip: FixedAtInsert<string>;
  /** JSON array of sentences. */
  steps: string;
  reason: string;
  created_at: FixedAtInsert<number>;
  /** When an unreachable node makes it an error. */
  deadline_at: FixedAtInsert<number>;
  ended_at: number | null;
}

interface NodeSamplesTable {
  node: FixedAtInsert<string>;
  at: FixedAtInsert<number>;
  state: FixedAtInsert<"OK" | "Issues" | "Down">;
  /** Null where the node did not answer, like the others. */
  cpu_percent: FixedAtInsert<number | null>;
  memory_percent: FixedAtInsert<number | null>;
  routes_ipv4: FixedAtInsert<number | null>;
  routes_ipv6: FixedAtInsert<number | null>;
}

/** Counts of a day's observations by what they found. */
interface NodeDaysTable {
  node: FixedAtInsert<string>;
  /** When it began in UTC. */
  day: FixedAtInsert<number>;
  ok: number;
  issues: number;
  down: number;
}

/** A tunnel's byte counters, as the node's WireGuard has them. */
interface TrafficSamplesTable {
  node: FixedAtInsert<string>;
  asn: FixedAtInsert<string>;
  at: FixedAtInsert<number>;
  received: FixedAtInsert<number>;
  sent: FixedAtInsert<number>;
}

interface PushKeysTable {
  name: FixedAtInsert<"vapid">;
  /** base64url, like the private key. */
  public_key: string;
  private_key: FixedAtInsert<string>;
}

/** At most one a session, and one an endpoint; it ends with the session. */
interface PushSubscriptionsTable {
  id: FixedAtInsert<string>;
  session_hash: FixedAtInsert<string>;
  asn: FixedAtInsert<string>;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** 1: sessions that go down and come back are told too. */
  alerts: number;
  created_at: FixedAtInsert<number>;
}

/** Waits until the push service took it; of a topic the newest alone. It ends with its subscription. */
interface PushMessagesTable {
  id: FixedAtInsert<string>;
  subscription: FixedAtInsert<string>;
  topic: FixedAtInsert<string>;
  /** `PushMessage` as JSON. */
  payload: FixedAtInsert<string>;
  created_at: FixedAtInsert<number>;
  attempts: number;
  next_attempt_at: number;
}

/** What was told of the sessions of a peering. It ends with the peering. */
interface SessionAlertsTable {
  asn: FixedAtInsert<string>;
  node: FixedAtInsert<string>;
  /** JSON. */
  state: string;
}

interface ContactMessagesTable {
  /** SHA-256 of the mail's text, base64url. */
  hash: FixedAtInsert<string>;
  taken_at: FixedAtInsert<number>;
}
