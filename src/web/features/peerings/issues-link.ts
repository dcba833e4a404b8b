import type { IssueCard } from "#domain/findings/status-findings.ts";
import { overviewLink } from "./screen-links.ts";

export const issuesId = (card: IssueCard) => `${card}-issues`;

/** The issues of a card. On a phone they are far below the sentence that names the fault. */
export function issuesLink(node: string, card: IssueCard) {
  return { ...overviewLink(node), hash: issuesId(card) } as const;
}
