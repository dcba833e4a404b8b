/** Tables as Kysely sees them. Times are milliseconds since 1970 by the server's clock; JSON is text. */
import type { ColumnType } from "kysely";
import type {
  AgentEventPositionsTable,
  AgentEventsTable,
  AuditAddressesTable,
  AuditEventsTable,
} from "./audit-tables.ts";
import type {
  AccountsTable,
  AccountTokensTable,
  ApiTokensTable,
  ChallengesTable,
  LoginSessionsTable,
  PasskeysTable,
} from "./account-tables.ts";
import type {
  CurrentHalfHoursTable,
  NodeDaysTable,
  NodeQuartersTable,
  NodeSamplesTable,
  NodeSummariesTable,
  PastHalfHoursTable,
  SessionStatesTable,
} from "./observation-tables.ts";
import type {
  NodeJoinsTable,
  NodeKeySwitchesTable,
  NodeRekeysTable,
  NodesTable,
  NodesTakenOverTable,
  RemovedNodesTable,
  ServerAddressesTable,
} from "./node-tables.ts";
import type { NodeFactsTable, PeeringConflictsTable, PeeringsTable, TasksTable } from "./peering-tables.ts";

export interface Schema {
  accounts: AccountsTable;
  account_tokens: AccountTokensTable;
  challenges: ChallengesTable;
  passkeys: PasskeysTable;
  api_tokens: ApiTokensTable;
  login_sessions: LoginSessionsTable;
  outbox: OutboxTable;
  counters: CountersTable;
  node_facts: NodeFactsTable;
  nodes: NodesTable;
  nodes_taken_over: NodesTakenOverTable;
  node_joins: NodeJoinsTable;
  removed_nodes: RemovedNodesTable;
  node_rekeys: NodeRekeysTable;
  node_key_switches: NodeKeySwitchesTable;
  server_addresses: ServerAddressesTable;
  peerings: PeeringsTable;
  tasks: TasksTable;
  node_samples: NodeSamplesTable;
  node_quarters: NodeQuartersTable;
  node_days: NodeDaysTable;
  node_summaries: NodeSummariesTable;
  current_half_hours: CurrentHalfHoursTable;
  past_half_hours: PastHalfHoursTable;
  session_states: SessionStatesTable;
  push_keys: PushKeysTable;
  push_subscriptions: PushSubscriptionsTable;
  push_messages: PushMessagesTable;
  session_alerts: SessionAlertsTable;
  contact_messages: ContactMessagesTable;
  rate_limits: RateLimitsTable;
  signing_keys: SigningKeysTable;
  database_identity: DatabaseIdentityTable;
  peering_conflicts: PeeringConflictsTable;
  account_notices: AccountNoticesTable;
  account_deletions: AccountDeletionsTable;
  account_blocks: AccountBlocksTable;
  mail_refusals: MailRefusalsTable;
  server_time: ServerTimeTable;
  installation: InstallationTable;
  audit_events: AuditEventsTable;
  audit_addresses: AuditAddressesTable;
  agent_events: AgentEventsTable;
  agent_event_positions: AgentEventPositionsTable;
}

type FixedAtInsert<T> = ColumnType<T, T, never>;

interface OutboxTable {
  /** Sorts by the order in which the mails were written. */
  id: FixedAtInsert<string>;
  recipient: FixedAtInsert<string>;
  subject: FixedAtInsert<string>;
  /** Sealed, because it may contain a token (secrets/stored-secrets.ts). Emptied after delivery. */
  body: string;
  reply_to: FixedAtInsert<string | null>;
  /** The AS that the mail is about; null for a mail of the server itself. */
  asn: ColumnType<string | null, string | null | undefined, never>;
  /** `toClientKey` of the client that has requested the mail; null if no unknown client has, and after the delivery. */
  requested_by: ColumnType<string | null, string | null | undefined, null>;
  /** The token of the mailed link, as in `account_tokens`. The mail is dropped once that row is gone. */
  token_hash: ColumnType<string | null, string | null | undefined, never>;
  created_at: FixedAtInsert<number>;
  attempts: number;
  next_attempt_at: number;
  /** Null until the mail server accepted the mail. */
  sent_at: number | null;
  last_error: string | null;
}

interface CountersTable {
  name: FixedAtInsert<string>;
  value: number;
}

interface PushKeysTable {
  name: FixedAtInsert<"vapid">;
  /** base64url, as the private key is. */
  public_key: string;
  /** Sealed (secrets/stored-secrets.ts). */
  private_key: string;
}

/** At most one per login session and one per endpoint. It is deleted with the login session. */
interface PushSubscriptionsTable {
  id: FixedAtInsert<string>;
  login_session_hash: string;
  asn: FixedAtInsert<string>;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** 1: the browser also receives alerts about BGP sessions. */
  alerts: number;
  created_at: FixedAtInsert<number>;
}

/** Waits for delivery; only the newest of a topic. It is deleted with its subscription. */
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

/** The alert state of a peering. It is deleted with the peering. */
interface SessionAlertsTable {
  asn: FixedAtInsert<string>;
  node: FixedAtInsert<string>;
  /** JSON. */
  state: string;
}

/** One row. A restored backup keeps it; another database has another one. */
interface DatabaseIdentityTable {
  /** A UUID. */
  id: FixedAtInsert<string>;
}

/** A change that a mail reports to the holder of an account. It is deleted when its mails are written. */
interface AccountNoticesTable {
  id: FixedAtInsert<string>;
  asn: FixedAtInsert<string>;
  kind: FixedAtInsert<
    | "passwordChanged"
    | "passwordReset"
    | "passwordResetByProof"
    | "newClient"
    | "passkeyAdded"
    | "passkeyRemoved"
    | "passwordTurnedOff"
    | "apiTokenCreated"
    | "deletionStarted"
    | "nodeKeyChanged"
    | "nodeAddressChanged"
    | "nodeRekey"
    | "nodeRekeyCancelled"
    | "nodeKeyReturned"
    | "nodeForgotten"
  >;
  at: FixedAtInsert<number>;
  /** As in `login_sessions`. */
  address_prefix: FixedAtInsert<string | null>;
  /** Null for a notice about a node, which no browser has changed. */
  browser: FixedAtInsert<string | null>;
  /** The node that the notice is about; null for notices about the account itself. */
  node: FixedAtInsert<string | null>;
  /** The public URL that the request used; null for what no request has changed, and in rows of earlier versions. */
  public_url: FixedAtInsert<string | null>;
}

/** At most one running deletion per AS. Ended ones are stored for some days, so that their end can be looked up. */
interface AccountDeletionsTable {
  /** A UUID that only the participant knows. */
  id: FixedAtInsert<string>;
  asn: FixedAtInsert<string>;
  started_at: FixedAtInsert<number>;
  ended_at: number | null;
  state: "running" | "deleted" | "cancelled";
}

/** AS numbers that an operator has blocked. Their peerings run on. */
interface AccountBlocksTable {
  asn: FixedAtInsert<string>;
  /** Entered by the operator, shown to the participant. */
  reason: string;
  blocked_at: number;
}

/** The last mail to an address that the receiving mail server refused for good. It is deleted after an accepted one. */
interface MailRefusalsTable {
  recipient: FixedAtInsert<string>;
  refused_at: number;
  /** The reply of the receiving mail server. */
  reason: string;
}

interface ContactMessagesTable {
  /** SHA-256 of the mail's text, base64url. */
  hash: FixedAtInsert<string>;
  accepted_at: FixedAtInsert<number>;
}

/** Written by rate-limiter-flexible, on PostgreSQL only. */
interface RateLimitsTable {
  key: FixedAtInsert<string>;
  points: number;
  /** Null: never. */
  expire: number | null;
}

/** One row (installation-kind.ts). */
interface InstallationTable {
  id: FixedAtInsert<1>;
  kind: "provider" | "demo";
}

/** One row (clock-jumps.ts). */
interface ServerTimeTable {
  id: FixedAtInsert<1>;
  /** The last time that a server stored. */
  at: number;
  /** The last jump of a system's clock: the time after it, and its length in milliseconds. */
  jumped_at: number | null;
  jump_ms: number | null;
}

interface SigningKeysTable {
  name: FixedAtInsert<"known clients">;
  /** base64url, sealed (secrets/stored-secrets.ts). */
  key: string;
}
