import { isTypedField } from "#domain/peering/fields/field-lists.ts";
import type { FormFieldError } from "#domain/peering/invalid-field.ts";
import { plural } from "#domain/text/plural.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";

export interface RefusalNoticeProps {
  /** What the server rejected in this step. */
  readonly refusals: readonly FormFieldError[];
}

export function RefusalNotice({ refusals }: RefusalNoticeProps) {
  if (refusals.length === 0) return null;
  const marked = refusals.filter(({ field }) => isTypedField(field));
  const others = refusals.filter(({ field }) => !isTypedField(field)).map(({ message }) => message);
  const texts =
    marked.length === 0
      ? others
      : [...others, `The server rejected the ${plural(marked.length, "value")} marked below.`];
  return (
    <Notice tone="error">{texts.join(" ")} Nothing was deployed; everything you entered is kept.</Notice>
  );
}
