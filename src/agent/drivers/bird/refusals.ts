/**
 * Why the node's filters refuse a route. They mark it with the large community (provider's AS, 4242, reason)
 * before they reject it, and BIRD keeps both (`import keep filtered`). The numbers are those of
 * `docs/bird/peerdeck-policy.conf`.
 */
export const refusalFunction = 4242;

export const refusals: ReadonlyMap<number, string> = new Map([
  [1, "a default route"],
  [2, "outside the network's address ranges"],
  [3, "the prefix is too long or too short"],
  [4, "the provider's own prefix"],
  [5, "no ROA: no route object covers the prefix"],
  [6, "ROA invalid: the route object names another origin AS or a shorter maximum length"],
  [7, "the AS path holds an AS number that nobody in the network can have"],
  [8, "the AS path is too long"],
]);

/** The listing of refused routes with the reason in words after each mark of our filters. */
export function explainRefusals(listing: string, providerAsn: string): string {
  const mark = new RegExp(`\\(${providerAsn}, ?${refusalFunction}, ?([0-9]+)\\)`, "g");
  return listing.replaceAll(mark, (community, reason: string) => {
    const words = refusals.get(Number(reason));
    return words === undefined ? community : `${community} [refused: ${words}]`;
  });
}
