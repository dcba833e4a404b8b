import type { RefusedAddress } from "#contract/entities.ts";
import type { Db } from "../../db/open.ts";
import { maskAddress } from "../../mail/mask-address.ts";
import { findRefusals } from "../../mail/refusals.ts";

/** Returns those of the addresses that refused the last mail for good, masked, with the time of the refusal. */
export async function findRefusedAddresses(
  db: Db,
  addresses: readonly string[],
): Promise<readonly RefusedAddress[]> {
  const refusals = await findRefusals(db, addresses);
  // Of two addresses that look the same when masked, the later refusal is shown.
  const byText = new Map<string, number>();
  for (const { recipient, refusedAt } of refusals) {
    const address = maskAddress(recipient);
    byText.set(address, Math.max(refusedAt, byText.get(address) ?? 0));
  }
  return Array.from(byText, ([address, at]) => ({ address, at }));
}
