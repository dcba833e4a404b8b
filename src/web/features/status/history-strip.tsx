import { chakra } from "@chakra-ui/react/styled-system";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import type { ObservedSpan } from "../../../contract/entities.ts";
import { Bars, stripHeight } from "./bars.tsx";
import { describeOutcome } from "./outcomes.ts";
import type { Stretches } from "./stretches.ts";

const strides: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -8,
  PageUp: 8,
  Home: -Infinity,
  End: Infinity,
};

export interface HistoryStripProps {
  readonly stretches: Stretches;
  readonly spans: readonly ObservedSpan[];
  /** Whose history it is, for screen readers. */
  readonly host: string;
}

/**
 * A bar for each stretch of time. The pointer, a finger and the arrow keys move along it, and what it is
 * about then stands below it.
 */
export function HistoryStrip({ stretches, spans, host }: HistoryStripProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const last = spans.length - 1;
  const index = Math.min(pointed ?? last, last);
  const span = spans[index];
  if (!span) return null;
  const told = `${stretches.name(span.from, span.from + stretches.lengthMs)}: ${describeOutcome(span)}`;

  const pointAt = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const place = Math.floor(((clientX - left) / width) * spans.length);
    setPointed(Math.max(0, Math.min(last, place)));
  };
  const step = (event: KeyboardEvent) => {
    const stride = strides[event.key];
    if (stride === undefined) return;
    event.preventDefault();
    setPointed(Math.max(0, Math.min(last, index + stride)));
  };

  return (
    <div>
      <chakra.div
        role="slider"
        tabIndex={0}
        aria-label={`${stretches.title} of ${host}`}
        aria-valuemin={1}
        aria-valuemax={spans.length}
        aria-valuenow={index + 1}
        aria-valuetext={told}
        onKeyDown={step}
        onPointerDown={pointAt}
        onPointerMove={pointAt}
        onPointerLeave={({ currentTarget }) => {
          if (document.activeElement !== currentTarget) setPointed(null);
        }}
        onFocus={() => setPointed((now) => now ?? last)}
        onBlur={() => setPointed(null)}
        height="8"
        borderRadius="sm"
        touchAction="pan-y"
        cursor="default"
      >
        <chakra.svg
          aria-hidden
          display="block"
          width="full"
          height="full"
          viewBox={`0 0 ${spans.length} ${stripHeight}`}
          preserveAspectRatio="none"
        >
          {pointed !== null && (
            <chakra.rect x={index} width="1" height={stripHeight} fill="border.emphasized" />
          )}
          <Bars spans={spans} />
        </chakra.svg>
      </chakra.div>
      <chakra.p
        aria-hidden
        display="flex"
        justifyContent="space-between"
        mt="1"
        // A phone needs two lines for the longest.
        minHeight={{ base: "9", sm: "5" }}
        fontSize="xs"
        color="fg.muted"
      >
        {pointed === null ? (
          <>
            <span>{stretches.oldest}</span>
            <span>{stretches.newest}</span>
          </>
        ) : (
          <chakra.span color="fg">{told}</chakra.span>
        )}
      </chakra.p>
    </div>
  );
}
