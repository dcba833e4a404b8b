import { overviewLink } from "./screen-links.ts";

/** A card of a peering's status. */
export type IssuesOf = "wireguard" | "bgp";

export const issuesId = (card: IssuesOf) => `${card}-issues`;

/** The issues of a card. On a phone they are far below the sentence that names the fault. */
export function issuesLink(node: string, card: IssuesOf) {
  return { ...overviewLink(node), hash: issuesId(card) } as const;
}
