import type { Logger } from "pino";
import type { ValuesInUse } from "#contract/agent.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import type { FieldError } from "#contract/http-error.ts";
import { describeToParticipant, type Finding } from "#domain/findings/findings.ts";
import { checkPeerUpdate, type RoutedAddress } from "#domain/peering/check-peer-update.ts";
import { completePeering, findUnusableValues } from "#domain/peering/complete-peering.ts";
import { fieldOrder } from "#domain/peering/fields/field-lists.ts";
import type { PeeringRequest } from "#domain/peering/fields/peering-request.ts";
import type { NodeIdentity } from "#domain/peering/peering-rules.ts";
import type { NodeReader } from "../../agents/node-reader.ts";
import { listNodeKeys, readNodeIdentity } from "../../agents/node-facts.ts";
import type { Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import type { Nodes } from "../../nodes/nodes.ts";
import { listProviderEndpoints } from "../../nodes/provider-endpoints.ts";
import type { ProviderNode } from "../../nodes/provider-node.ts";
import type { Registry } from "../../registry/registry.ts";
import { findDesired, findDesiredOfAs } from "./desired-peerings.ts";
import { findNodeRefusal } from "./node-capacity.ts";
import { findTakenByOthers } from "./taken-on-node.ts";
import { reportUsedValues } from "./used-values.ts";
import { readValuesInUse } from "./values-in-use.ts";

export interface CheckDeps {
  readonly db: Db;
  readonly profile: Profile;
  readonly nodes: Pick<Nodes, "find" | "list">;
  readonly nodeReader: Pick<NodeReader, "read">;
  readonly registry: Pick<Registry, "holdsAddress" | "isInOwnNetwork">;
  readonly clock: () => number;
  readonly log: Pick<Logger, "warn">;
}

export type AcceptedUpdate =
  | {
      readonly ok: true;
      readonly node: ProviderNode;
      readonly identity: NodeIdentity;
      readonly request: PeeringRequest;
    }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Checks a submitted peering by the rules and the registry, with what else the node's machine uses. If a value is rejected, the errors also name
 * other values that other ASes use. Otherwise the caller checks for such values, in the transaction that stores the
 * peering.
 */
export async function acceptUpdate(
  deps: CheckDeps,
  asn: string,
  update: PeerUpdate,
  inUse: ValuesInUse,
): Promise<AcceptedUpdate> {
  const { db, profile, nodes, registry } = deps;
  const node = nodes.find(update.node);
  if (!node) return { ok: false, errors: [await describeUnknownNode(db, asn, update.node)] };
  const identity = await readNodeIdentity(db, node);
  const before = await findDesired(db, asn, node.name);
  const checked = checkPeerUpdate(update, {
    asn,
    node: identity,
    current: before && before.request,
    otherNodeKeys: await readOtherNodeKeys(db, nodes, { asn, node: node.name }),
    providerEndpoints: listProviderEndpoints(nodes.list(), profile),
    providerPrefixes: profile.prefixes,
    allowDocumentation: profile.allowDocumentation,
  });
  const valid = checked.ok ? checked.request : checked.valid;
  const unregistered = await findUnregistered(registry, asn, checked.routed, valid.probeAddress ?? null);
  if (checked.ok && unregistered.length === 0) return { ok: true, node, identity, request: checked.request };
  const unusable = findUnusableValues(valid, identity, await findTakenByOthers(db, node.name, valid, inUse));
  await reportUsedValues(deps, { asn, node: node.name, values: valid }, unusable);
  const refusal = await findNodeRefusal(db, node.name, { ...profile, isNew: before === null });
  const errors = [
    ...(refusal ? [refusal] : []),
    ...(checked.ok ? [] : checked.errors),
    ...unregistered,
    ...unusable,
  ];
  return { ok: false, errors: errors.toSorted((left, right) => positionOf(left) - positionOf(right)) };
}

async function describeUnknownNode(db: Db, asn: string, node: string): Promise<FieldError> {
  const removed: Finding = { code: "node-out-of-service", facts: {} };
  const isRemoved = (await findDesired(db, asn, node)) !== null;
  return { field: "node", message: isRemoved ? describeToParticipant(removed) : "There is no such node." };
}

/**
 * The keys of the provider's other nodes that the AS cannot use. A key that it uses already is no such key: otherwise a
 * hostile agent could return it as the key of its node, and so refuse all changes of the AS.
 */
async function readOtherNodeKeys(
  db: Db,
  nodes: Pick<Nodes, "list">,
  { asn, node }: { readonly asn: string; readonly node: string },
): Promise<readonly string[]> {
  const names = nodes.list().flatMap(({ name }) => (name === node ? [] : [name]));
  const [keys, own] = await Promise.all([listNodeKeys(db, names), findDesiredOfAs(db, asn)]);
  return keys.filter((key) => own.every(({ peering }) => peering.publicKey !== key));
}

function positionOf({ field }: FieldError): number {
  return fieldOrder.findIndex((name) => name === field);
}

/** Returns every reason for which a submit of the peering would be rejected now. Changes nothing. */
export async function findUpdateErrors(
  deps: CheckDeps,
  asn: string,
  update: PeerUpdate,
): Promise<readonly FieldError[]> {
  const inUse = await readValuesInUse(deps, update.node);
  const accepted = await acceptUpdate(deps, asn, update, inUse);
  if (!accepted.ok) return accepted.errors;
  const { node, identity, request } = accepted;
  const taken = await findTakenByOthers(deps.db, node.name, request, inUse);
  const before = await findDesired(deps.db, asn, node.name);
  const completed = completePeering(request, identity, taken, before?.peering.listenPort ?? null);
  const refusal = await findNodeRefusal(deps.db, node.name, { ...deps.profile, isNew: before === null });
  const unusable = completed.ok ? [] : completed.errors;
  await reportUsedValues(deps, { asn, node: node.name, values: request }, unusable);
  return [...(refusal ? [refusal] : []), ...unusable];
}

async function findUnregistered(
  registry: CheckDeps["registry"],
  asn: string,
  routed: readonly RoutedAddress[],
  probeAddress: string | null,
): Promise<readonly FieldError[]> {
  const errors: FieldError[] = [];
  for (const { field, address } of routed) {
    if (await registry.holdsAddress(asn, address)) continue;
    const message = `${address} is not registered to AS${asn}: the registry has no route object with this origin and no address block of its maintainers that covers it.`;
    errors.push({ field, message });
  }
  if (probeAddress !== null && !(await registry.isInOwnNetwork(asn, probeAddress))) {
    const message = `${probeAddress} is not in a prefix that is registered to AS${asn}. Enter an address in your own network, or leave it empty.`;
    errors.push({ field: "probe_address", message });
  }
  return errors;
}
