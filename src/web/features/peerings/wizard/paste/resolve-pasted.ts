/** From what the parser recognised to what the form can take. Private keys end here. */
import type { PastedRouter, PastedText, PastedValues } from "#domain/peering/pasted/take-apart.ts";
import { derivePublicKey } from "./derive-public-key.ts";

/** A router without secrets. */
export interface ResolvedRouter extends Omit<PastedRouter, "privateKey"> {
  /** Whether the browser could not compute the public key of its private one. */
  readonly lacksKey: boolean;
}

export interface ResolvedText extends Omit<PastedText, "routers"> {
  readonly routers: readonly ResolvedRouter[];
}

export async function resolvePasted({ routers, ...rest }: PastedText): Promise<ResolvedText> {
  return { ...rest, routers: await Promise.all(routers.map(resolveRouter)) };
}

async function resolveRouter({ privateKey, ...router }: PastedRouter): Promise<ResolvedRouter> {
  if (privateKey === "") return { ...router, lacksKey: false };
  const publicKey = await derivePublicKey(privateKey);
  const values: PastedValues =
    publicKey === null ? router.values : { ...router.values, public_key: publicKey };
  return { ...router, values, lacksKey: publicKey === null };
}
