import { maxOutputLength } from "../contract/agent/findings.ts";

/** What a router or a program printed, as the `output` of a finding: control characters become spaces, and a long text is cut. */
export function toOutput(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim();
  return line.length <= maxOutputLength ? line : `${cutText(line, maxOutputLength - 1)}…`;
}

/** Cuts a text without cutting a surrogate pair. */
function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
