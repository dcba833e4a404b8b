/** The tables of nodes, peerings and their deployments, as Kysely sees them. */
import type { ColumnType } from "kysely";

type FixedAtInsert<T> = ColumnType<T, T, never>;

export interface NodeFactsTable {
  node: FixedAtInsert<string>;
  /** The node's first WireGuard key, as its agent returned it last. */
  public_key: string;
  /** JSON array of its further keys; null before the agent returned them. */
  added_keys: string | null;
  /** The key of new peerings; null: the first one. */
  current_key: string | null;
  /** The version of the agent's package; null if the agent does not return it. */
  agent_version: string | null;
  seen_at: number;
  /** When `public_key` was first seen. */
  key_since: number;
  /** The key that the participants were notified of, or the node's first one. */
  notified_key: string;
  /** Null before the first notification. */
  notified_at: number | null;
}

export interface PeeringsTable {
  asn: FixedAtInsert<string>;
  node: FixedAtInsert<string>;
  /** The version of the desired state; every change takes a higher number. */
  generation: number;
  /** The generation that changed the content. Restores and repairs take new generations but keep the revision. */
  revision: number;
  /** 1: should run; 0: is being deleted. */
  present: number;
  /** `PeeringRequest` as JSON: what the participant submitted. */
  request: string;
  /** `Peering` as JSON: what the agent receives. */
  peering: string;
  listen_port: number;
  peer_ipv4: string | null;
  /** Unique on a node. Null also for a link-local address; older rows may have one. */
  peer_ipv6: string | null;
  public_key: string;
  /** The node's public key that the tunnel uses; null: the node's first one. */
  tunnel_key: string | null;
  /**
   * The node's public key in the participant's configuration: the one at the creation of the peering, or that of a later
   * handshake. Null while the server does not know it.
   */
  node_key: string | null;
}

export interface TasksTable {
  id: FixedAtInsert<string>;
  asn: FixedAtInsert<string>;
  node: FixedAtInsert<string>;
  kind: FixedAtInsert<"deploy" | "delete">;
  status: "waiting" | "success" | "failed" | "error";
  /** The generation that the task deploys, and by which the server recognises its work on the node. */
  generation: number;
  /** `PeeringRequest` as JSON for a deploy: an equal submit returns the same task. Null for a delete. */
  request: FixedAtInsert<string | null>;
  /** The earlier `DesiredPeering` as JSON, for a restore; null if there was none. */
  previous: string | null;
  quip: FixedAtInsert<string>;
  /** JSON array of sentences. */
  steps: string;
  reason: string;
  created_at: FixedAtInsert<number>;
  /** When the task ends without success if the node is still unreachable: `error`, or `failed` for a deletion. */
  deadline_at: FixedAtInsert<number>;
  ended_at: number | null;
}

/** Peerings that a node has in another version than the database knows, until an operator decides. */
export interface PeeringConflictsTable {
  node: FixedAtInsert<string>;
  asn: FixedAtInsert<string>;
  /** The generation on the node. */
  generation: number;
  reason: "missing" | "outdated" | "deleted";
  /** `Peering` as JSON: what the node runs. Null for a deleted peering, and while it is not known. */
  peering: string | null;
}
