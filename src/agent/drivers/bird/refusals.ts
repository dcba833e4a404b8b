/**
 * Why the node's filters refuse a route. They mark it with the large community (provider's AS, 4242, reason)
 * before they reject it, and BIRD keeps both (`import keep filtered`). What the reasons mean stands in
 * `src/domain/import-policy.ts`.
 */
import { refusalMarks } from "../../../domain/import-policy.ts";

export const refusalFunction = 4242;

/** Finds all marks in BIRD's text; its one group is the number of the reason. */
export function markPattern(providerAsn: string): RegExp {
  return new RegExp(`\\(${providerAsn}, ?${refusalFunction}, ?([0-9]+)\\)`, "g");
}

/** The listing of refused routes with the reason in words after each mark of our filters. */
export function explainRefusals(listing: string, providerAsn: string): string {
  return listing.replaceAll(markPattern(providerAsn), (community, reason: string) => {
    const words = refusalMarks.get(Number(reason))?.words;
    return words === undefined ? community : `${community} [refused: ${words}]`;
  });
}
