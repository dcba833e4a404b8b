/**
 * The pre-shared keys of peerings.
 *
 * Invariant: the database has a key only sealed, in the desired peering and in the copy of it that a task restores. It is
 * opened for the node that runs the peering and for its participant, nowhere else.
 */
import { randomBytes } from "node:crypto";
import type { Peering } from "#contract/agent.ts";
import { enteredKey } from "#domain/peering/fields/option-values.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import type { PeeringRequest } from "#domain/peering/fields/peering-request.ts";
import type { Sealer } from "../../db/secrets/sealer.ts";
import { secretPlaces } from "../../db/secrets/stored-secrets.ts";
import type { DesiredPeering } from "./desired-peerings.ts";

type KeyOwner = Pick<DesiredPeering, "asn" | "node" | "peering">;

/** The key of a peering; null without one. */
export function openPresharedKey(sealer: Sealer, { asn, node, peering }: KeyOwner): string | null {
  const { presharedKey } = peering;
  return presharedKey ? sealer.open(presharedKey.sealed, secretPlaces.presharedKey(asn, node)) : null;
}

/** The peering as its agent receives it. */
export function toAgentPeering(sealer: Sealer, desired: KeyOwner): Peering {
  const { presharedKey: _sealed, ...peering } = desired.peering;
  const key = openPresharedKey(sealer, desired);
  return key === null ? peering : { ...peering, presharedKey: key };
}

/** Returns the sealed key of a peering after a submit: a new key, or the peering's current one. */
export function sealPresharedKey(
  sealer: Sealer,
  { asn, node, update, request }: SubmittedKey,
  before: DesiredPeering | null,
): DesiredPeering["peering"]["presharedKey"] {
  if (request.presharedKey === null) return undefined;
  if (update.preshared_key === undefined) return before?.peering.presharedKey;
  const key = enteredKey(update) ?? randomBytes(32).toString("base64");
  return { sealed: sealer.seal(key, secretPlaces.presharedKey(asn, node)) };
}

interface SubmittedKey {
  readonly asn: string;
  readonly node: string;
  readonly update: PeerUpdate;
  readonly request: PeeringRequest;
}

/**
 * Whether a submit contains the key of the peering. A submit that lets the server generate a key, or contains no key, counts
 * as equal.
 */
export function hasSamePresharedKey(sealer: Sealer, update: PeerUpdate, desired: DesiredPeering): boolean {
  const key = enteredKey(update);
  return key === null || key === openPresharedKey(sealer, desired);
}
