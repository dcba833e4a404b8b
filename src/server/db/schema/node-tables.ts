/** The tables of the provider's nodes, as Kysely sees them. */
import type { ColumnType } from "kysely";

type FixedAtInsert<T> = ColumnType<T, T, never>;

export interface NodesTable {
  name: FixedAtInsert<string>;
  /** Orders them where they are listed. */
  position: number;
  place: string;
  /** Degrees; null if the operator has not entered them. */
  lat: number | null;
  lon: number | null;
  /** The public address or hostname that participants enter. */
  public_ip: string;
  /** JSON array of all public addresses and hostnames, including `public_ip`. */
  endpoints: string;
  tunnel_ipv4: string | null;
  link_local: string;
  state: "open" | "review" | "closed" | "draining";
  /** The most peerings that it accepts; null without a limit. */
  max_peerings: number | null;
  /** Null if the agent runs in the server's process, as in the demo. */
  agent_url: string | null;
  agent_fingerprint: string | null;
  joined_at: FixedAtInsert<number>;
}

/** One row, if the database has taken over the nodes of a profile or a file, or none was there (take-over-nodes.ts). */
export interface NodesTakenOverTable {
  id: FixedAtInsert<1>;
  at: FixedAtInsert<number>;
}

/** Nodes that may join. */
export interface NodeJoinsTable {
  /** The identifier in the join token. */
  token: FixedAtInsert<string>;
  node: FixedAtInsert<string>;
  place: FixedAtInsert<string>;
  lat: FixedAtInsert<number | null>;
  lon: FixedAtInsert<number | null>;
  /** The secret of the token, sealed. */
  secret: string;
  created_at: FixedAtInsert<number>;
  /** A newer token of the node ends it early. */
  expires_at: number;
  /** How many requests had a wrong proof. */
  wrong_proofs: number;
  /** Null until the node has joined. */
  used_at: number | null;
}

/** Removed nodes on which the server still has to take peerings down. */
export interface RemovedNodesTable {
  /** A UUID. */
  id: FixedAtInsert<string>;
  name: FixedAtInsert<string>;
  /** As in `nodes`. */
  agent_url: FixedAtInsert<string | null>;
  agent_fingerprint: FixedAtInsert<string | null>;
  removed_at: FixedAtInsert<number>;
  /** JSON array of the peerings that the database had: AS number and generation. */
  peerings: FixedAtInsert<string>;
}

/** Nodes that get another WireGuard key. */
export interface NodeRekeysTable {
  node: FixedAtInsert<string>;
  /** By which the agent knows the new key. */
  id: FixedAtInsert<string>;
  /** The key of the node's tunnels before; null: its first one. */
  old_key: string | null;
  /** Null until the agent has created it. */
  new_key: string | null;
  created_at: FixedAtInsert<number>;
  /** When the participants were notified, in the same transaction. */
  announced_at: number | null;
  /** When the server gives the new key to the tunnels that still have the old one. */
  switch_at: number;
  /** When the operator cancelled it. The server then removes the key from the node, and the row. */
  cancelled_at: number | null;
}

/** Peerings whose tunnels have another key of their nodes, until the first handshake with it. */
export interface NodeKeySwitchesTable {
  asn: FixedAtInsert<string>;
  node: FixedAtInsert<string>;
  /** The task that deploys the key. */
  task: string;
  /** 1: the server switched it, and does not go back. */
  by_server: number;
  /** When the deployment ended; null until then. */
  deployed_at: number | null;
  /** Since when, until `seen_at`, the tunnel was observed without a handshake, and without a gap. */
  watched_from: number | null;
  seen_at: number | null;
  /** The task that deploys the old key again, because no handshake came. */
  return_task: string | null;
}

/** Addresses from which servers connect to the agents, besides those of the servers' interfaces that are added as they run. */
export interface ServerAddressesTable {
  /** An address or prefix, canonical. */
  address: FixedAtInsert<string>;
  /** Whether the operator has added it; otherwise a server's interface has it. */
  is_manual: number;
  /** When a server last had it. */
  seen_at: number;
}
