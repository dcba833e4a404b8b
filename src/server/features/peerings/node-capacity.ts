import type { FieldError } from "#contract/http-error.ts";
import { nodeHost } from "#contract/node-host.ts";
import { countOf } from "#domain/text/plural.ts";
import type { Db } from "../../db/open.ts";
import { findNode } from "../../nodes/node-rows.ts";
import type { ProviderNode } from "../../nodes/provider-node.ts";

/** The number of recorded peerings of each node with at least one, including peerings that are being deleted. */
export async function countPeeringsByNode(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("peerings")
    .select(({ fn }) => ["node", fn.countAll().as("count")])
    .groupBy("node")
    .execute();
  return new Map(rows.map(({ node, count }) => [node, Number(count)]));
}

/** What a participant may know of a node's state. */
export type NewPeers = "open" | "full" | "closed" | "draining";

/** Whether a node with so many peerings accepts new ones. */
export function readNewPeers(
  { state, maxPeerings }: Pick<ProviderNode, "state" | "maxPeerings">,
  count: number,
): NewPeers {
  if (state === "draining") return "draining";
  if (state !== "open") return "closed";
  return maxPeerings === null || count < maxPeerings ? "open" : "full";
}

interface Submit {
  readonly domain: string;
  /** Whether the AS has no peering on the node yet. Existing ones can be changed in every state. */
  readonly isNew: boolean;
}

/** Why the node accepts no submit, as the database has it now; null if it does. */
export async function findNodeRefusal(
  db: Db,
  name: string,
  { domain, isNew }: Submit,
): Promise<FieldError | null> {
  const node = await findNode(db, name);
  if (node === null) return { field: "node", message: "There is no such node." };
  if (!isNew) return null;
  const { count } = await db
    .selectFrom("peerings")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("node", "=", name)
    .executeTakeFirstOrThrow();
  const reasons: Readonly<Record<NewPeers, string | null>> = {
    open: null,
    full: `is full: it accepts ${countOf(node.maxPeerings ?? 0, "peering")}`,
    closed: "is closed to new peerings",
    draining: "will be taken out of service and is closed to new peerings",
  };
  const reason = reasons[readNewPeers(node, Number(count))];
  return reason === null
    ? null
    : { field: "node", message: `${nodeHost(name, domain)} ${reason}. Choose another node.` };
}
