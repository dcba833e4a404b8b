import { chakra } from "@chakra-ui/react/styled-system";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import type { ObservationBucket } from "#contract/history.ts";
import { Bars, stripHeight } from "./bars.tsx";
import { describeOutcome } from "./bucket-outcomes.ts";
import type { Resolution } from "./resolutions.ts";

const keySteps: Readonly<Record<string, number>> = {
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
  readonly resolution: Resolution;
  readonly buckets: readonly ObservationBucket[];
  /** The node's hostname, for screen readers. */
  readonly host: string;
}

/** One bar per time bucket. Pointer, touch and arrow keys select a bucket, which is described under the strip. */
export function HistoryStrip({ resolution, buckets, host }: HistoryStripProps) {
  const [selected, setSelected] = useState<number | null>(null);
  const last = buckets.length - 1;
  const index = Math.min(selected ?? last, last);
  const bucket = buckets[index];
  if (!bucket) return null;
  const description = `${resolution.formatRange(bucket.from, bucket.from + resolution.lengthMs)}: ${describeOutcome(bucket)}`;

  const selectAtPointer = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const position = Math.floor(((clientX - left) / width) * buckets.length);
    setSelected(Math.max(0, Math.min(last, position)));
  };
  const selectByKey = (event: KeyboardEvent) => {
    const step = keySteps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setSelected(Math.max(0, Math.min(last, index + step)));
  };

  return (
    <div>
      <chakra.div
        role="slider"
        tabIndex={0}
        aria-label={`${resolution.title} of ${host}`}
        aria-valuemin={1}
        aria-valuemax={buckets.length}
        aria-valuenow={index + 1}
        aria-valuetext={description}
        onKeyDown={selectByKey}
        onPointerDown={selectAtPointer}
        onPointerMove={selectAtPointer}
        onPointerLeave={({ currentTarget }) => {
          if (document.activeElement !== currentTarget) setSelected(null);
        }}
        onFocus={() => setSelected((now) => now ?? last)}
        onBlur={() => setSelected(null)}
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
          viewBox={`0 0 ${buckets.length} ${stripHeight}`}
          preserveAspectRatio="none"
        >
          {selected !== null && (
            <chakra.rect x={index} width="1" height={stripHeight} fill="border.emphasized" />
          )}
          <Bars buckets={buckets} />
        </chakra.svg>
      </chakra.div>
      <chakra.p
        aria-hidden
        display="flex"
        justifyContent="space-between"
        mt="1"
        // The longest description needs two lines on phones.
        minHeight={{ base: "9", sm: "5" }}
        fontSize="xs"
        color="fg.muted"
      >
        {selected === null ? (
          <>
            <span>{resolution.oldest}</span>
            <span>{resolution.newest}</span>
          </>
        ) : (
          <chakra.span color="fg">{description}</chakra.span>
        )}
      </chakra.p>
    </div>
  );
}
