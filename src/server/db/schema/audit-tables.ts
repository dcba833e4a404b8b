/** The tables of the audit log, as Kysely sees them. No column of type `Recorded` is ever updated. */
import type { ColumnType } from "kysely";

type Recorded<T> = ColumnType<T, T, never>;

/** The audit log. A trigger refuses changes, and the deletion of rows that are younger than 30 days. */
export interface AuditEventsTable {
  /** Sorts by time: it starts with `at`, padded to 14 digits. */
  id: Recorded<string>;
  at: Recorded<number>;
  /** A kind of `src/domain/audit-events.ts`. */
  kind: Recorded<string>;
  /** Null if the event concerns no AS, or a username that is no AS number. */
  asn: Recorded<string | null>;
  node: Recorded<string | null>;
  /** The deployment that the event belongs to. */
  task: Recorded<string | null>;
  /** `PeeringRequest` as JSON. */
  before: Recorded<string | null>;
  after: Recorded<string | null>;
  /** A sentence, such as why a node refused a change. */
  detail: Recorded<string | null>;
  /** `toLoginSessionId` of the login session that acted, or `toApiTokenId` of the API token. */
  login_session: Recorded<string | null>;
  /** The name of the API token that acted. */
  api_token: Recorded<string | null>;
  /** The ID of the request in the server's log. */
  request: Recorded<string | null>;
}

/** The events of agents that are in the audit log. A row is deleted with its event. */
export interface AgentEventsTable {
  node: Recorded<string>;
  /** The agent's ID of the event. The agent may return an event again. */
  id: Recorded<string>;
  /** The ID in the audit log. */
  event: Recorded<string>;
}

/** The last event of each node that the server has read, whether or not it recorded it. */
export interface AgentEventPositionsTable {
  node: Recorded<string>;
  id: string;
  /** `AgentEvent.number` */
  number: number;
}

/** Where an event came from. Deleted earlier than the event. */
export interface AuditAddressesTable {
  event: Recorded<string>;
  /** The /24 of an IPv4 address, or the /48 of an IPv6 address. */
  prefix: Recorded<string>;
}
