import { type WayIn, waysIn } from "#contract/entities.ts";
import { findPasskeyHost } from "#domain/public-urls.ts";
import type { AppContext } from "#server/context.ts";
import { canVerifySsh } from "./ssh/ssh-keygen.ts";

export type WaysInContext = Pick<AppContext, "profile">;

/** Lists the ways in, besides mail and password, that this server offers at a public URL. */
export async function listWaysIn({ profile }: WaysInContext, publicUrl: string): Promise<WayIn[]> {
  const offered: Readonly<Record<WayIn, boolean>> = {
    ssh: await canVerifySsh(),
    pgp: true,
    kioubit: profile.kioubit !== null,
    passkey: findPasskeyHost(publicUrl) !== null,
  };
  return waysIn.filter((way) => offered[way]);
}
