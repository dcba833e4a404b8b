/** The peerings of the database as an operator's list shows them. */
import type { PublicPeering } from "#contract/agent.ts";
import type { PeeringRequest } from "#domain/peering/fields/peering-request.ts";
import { formatEndpoint } from "#domain/port.ts";
import type { Db } from "../../db/open.ts";

export const deploymentStates = ["deployed", "deploying", "deleting", "failed", "conflict"] as const;
export const sessionStates = ["up", "down", "unstable", "unknown"] as const;
export const accountStates = ["active", "blocked", "none"] as const;

export interface ListedPeering {
  readonly as: string;
  readonly node: string;
  /** `failed`: the last deployment failed, and what the node ran before it runs on. */
  readonly state: (typeof deploymentStates)[number];
  /** In the half hour of the last observation; `unknown` if that is more than an hour ago. */
  readonly session: (typeof sessionStates)[number];
  readonly account: (typeof accountStates)[number];
  /** `host:port`; empty if the participant's router connects to the node. */
  readonly endpoint: string;
  readonly listen_port: number;
  readonly peer_ipv4: string;
  readonly peer_ipv6: string;
  readonly public_key: string;
  /** When its last deployment started, ISO 8601; empty if that is not known any more. */
  readonly changed: string;
}

export interface PeeringFilter {
  readonly as: readonly string[];
  readonly node: readonly string[];
  readonly state: readonly string[];
  readonly session: readonly string[];
  readonly account: readonly string[];
}

const maxObservationAgeMs = 3_600_000;

/** Lists the peerings that match all filters, by AS number and node. A filter without values matches all. */
export async function listPeerings(
  db: Db,
  filter: PeeringFilter,
  now: number,
): Promise<readonly ListedPeering[]> {
  const isListed = (peering: ListedPeering) =>
    (["state", "session", "account"] as const).every(
      (key) => filter[key].length === 0 || filter[key].includes(peering[key]),
    );
  return (await readRows(db, filter, now))
    .map(present)
    .filter(isListed)
    .toSorted((a, b) => Number(a.as) - Number(b.as) || a.node.localeCompare(b.node));
}

/** Each peering with its last task. */
function readRows(db: Db, { as, node }: PeeringFilter, now: number) {
  return db
    .selectFrom("peerings")
    .leftJoin("accounts", "accounts.asn", "peerings.asn")
    .leftJoin("account_blocks", "account_blocks.asn", "peerings.asn")
    .leftJoin("peering_conflicts as conflicts", (join) =>
      join.onRef("conflicts.asn", "=", "peerings.asn").onRef("conflicts.node", "=", "peerings.node"),
    )
    .leftJoin("current_half_hours as observed", (join) =>
      join
        .onRef("observed.asn", "=", "peerings.asn")
        .onRef("observed.node", "=", "peerings.node")
        .on("observed.at", ">=", now - maxObservationAgeMs),
    )
    .leftJoin("tasks", (join) =>
      join.onRef("tasks.asn", "=", "peerings.asn").onRef("tasks.node", "=", "peerings.node"),
    )
    .select([
      "peerings.asn as as",
      "peerings.node",
      "peerings.present",
      "peerings.request",
      "peerings.listen_port",
      "peerings.peer_ipv4",
      "peerings.peering",
      "peerings.public_key",
      "accounts.asn as account",
      "account_blocks.asn as block",
      "conflicts.asn as conflict",
      "observed.up",
      "observed.down",
      "tasks.status",
      "tasks.created_at",
    ])
    .where((eb) =>
      eb.or([
        eb("tasks.id", "is", null),
        eb(
          "tasks.generation",
          "=",
          eb
            .selectFrom("tasks as each")
            .select(({ fn }) => fn.max("each.generation").as("newest"))
            .whereRef("each.asn", "=", "peerings.asn")
            .whereRef("each.node", "=", "peerings.node"),
        ),
      ]),
    )
    .$if(as.length > 0, (query) => query.where("peerings.asn", "in", as))
    .$if(node.length > 0, (query) => query.where("peerings.node", "in", node))
    .execute();
}

type Row = Awaited<ReturnType<typeof readRows>>[number];

function present(row: Row): ListedPeering {
  const { endpointHost: host, endpointPort: port } = JSON.parse(row.request) as PeeringRequest;
  const { peerIpv6 } = JSON.parse(row.peering) as PublicPeering;
  return {
    as: row.as,
    node: row.node,
    state: readState(row),
    session: readSession(row.up ?? 0, row.down ?? 0),
    account: row.block !== null ? "blocked" : row.account === null ? "none" : "active",
    endpoint: host === null || port === null ? "" : formatEndpoint(host, port),
    listen_port: row.listen_port,
    peer_ipv4: row.peer_ipv4 ?? "",
    peer_ipv6: peerIpv6 ?? "",
    public_key: row.public_key,
    changed: row.created_at === null ? "" : new Date(row.created_at).toISOString(),
  };
}

function readState({ present: isPresent, conflict, status }: Row): ListedPeering["state"] {
  if (conflict !== null) return "conflict";
  if (isPresent === 0) return "deleting";
  if (status === "waiting") return "deploying";
  return status === "failed" || status === "error" ? "failed" : "deployed";
}

function readSession(up: number, down: number): ListedPeering["session"] {
  if (up + down === 0) return "unknown";
  if (down === 0) return "up";
  return up === 0 ? "down" : "unstable";
}
