import { type WayIn, waysIn } from "#contract/entities.ts";
import type { AppContext } from "#server/context.ts";
import { canVerifySsh } from "./ssh/ssh-keygen.ts";

export type WaysInContext = Pick<AppContext, "profile">;

/** Lists the ways in, besides mail and password, that this server offers at a public URL. */
export async function listWaysIn({ profile }: WaysInContext, _publicUrl: string): Promise<WayIn[]> {
  const offered: Readonly<Record<WayIn, boolean>> = {
    ssh: await canVerifySsh(),
    pgp: true,
    kioubit: profile.kioubit !== null,
    passkey: false,
  };
  return waysIn.filter((way) => offered[way]);
}
