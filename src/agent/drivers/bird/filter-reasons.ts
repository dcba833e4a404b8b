/**
 * The reasons why the node's filters reject a route. The filters add the large community (provider's AS,
 * 4242, reason) before they reject a route, and BIRD keeps both (`import keep filtered`).
 * `src/domain/peering/import-policy.ts` defines the reasons.
 */
import { reasonCommunities } from "#domain/peering/import-policy.ts";

export const communityFunction = 4242;

/** A pattern for the reason communities in BIRD's output; its one group is the number of the reason. */
export function reasonPattern(providerAsn: string): RegExp {
  return new RegExp(`\\(${providerAsn}, ?${communityFunction}, ?([0-9]+)\\)`, "g");
}

/** Adds the reason in words after each reason community in a listing of rejected routes. */
export function annotateReasons(listing: string, providerAsn: string): string {
  return listing.replaceAll(reasonPattern(providerAsn), (community, reason: string) => {
    const description = reasonCommunities.get(Number(reason))?.words;
    return description === undefined ? community : `${community} [refused: ${description}]`;
  });
}
