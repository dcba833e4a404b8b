/** A refused route in the table. It opens the reason and how to fix it. */
import { chakra } from "@chakra-ui/react/styled-system";
import { useId } from "react";
import type { RefusedRoute } from "#contract/diagnostics.ts";
import { StatusBubble } from "#web/ui/feedback/status-bubble.tsx";
import { CopyText } from "#web/ui/text/copy-text.tsx";
import { KeyValueList } from "#web/ui/text/key-value-list.tsx";
import { shortenAsPath } from "./as-path.ts";

interface RefusedRowProps {
  readonly route: RefusedRoute;
  readonly isOpen: boolean;
  /** Whether the row takes the focus when it appears for the first time. */
  readonly hasFocus: boolean;
  readonly onFocus: () => void;
  readonly onToggle: () => void;
}

export function RefusedRow({ route, isOpen, hasFocus, onFocus, onToggle }: RefusedRowProps) {
  const detail = useId();
  const { prefix, reason, explanation, object, fix, as_path } = route;
  return (
    <>
      <div className="cells">
        <div role="cell">
          <button
            type="button"
            translate="no"
            className="prefix"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detail : undefined}
            // The table scrolls to the row itself.
            ref={hasFocus ? (button) => button?.focus({ preventScroll: true }) : undefined}
            onFocus={onFocus}
            onClick={onToggle}
          >
            {prefix}
          </button>
        </div>
        <div role="cell">
          <StatusBubble state="issues" word={reason} />
        </div>
        <div role="cell" translate="no" className="path">
          {shortenAsPath(as_path)}
        </div>
      </div>
      {isOpen && (
        <div role="cell" id={detail} className="detail">
          <chakra.p overflowWrap="anywhere">{explanation}</chakra.p>
          <KeyValueList
            items={[
              ...(fix === "" ? [] : [{ label: "How to fix it", value: fix }]),
              ...(object === ""
                ? []
                : [{ label: "Object", value: <CopyText value={object} label="object" /> }]),
              {
                label: "AS path",
                value: (
                  <chakra.span htmlTranslate="no" fontFamily="mono" fontSize="sm">
                    {shortenAsPath(as_path)}
                  </chakra.span>
                ),
              },
            ]}
          />
        </div>
      )}
    </>
  );
}
