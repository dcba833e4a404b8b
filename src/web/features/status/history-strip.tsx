import { chakra } from "@chakra-ui/react/styled-system";
import { usePlotReader } from "../../ui/plots/use-plot-reader.ts";
import { Bars, stripHeight } from "./bars.tsx";
import { describeOutcome } from "./bucket-outcomes.ts";
import type { Resolution } from "./resolutions.ts";
import type { ObservationBucket } from "../../api/network/node-history.ts";

export interface HistoryStripProps {
  readonly resolution: Resolution;
  readonly buckets: readonly ObservationBucket[];
  /** The node's hostname, for screen readers. */
  readonly host: string;
}

/** One bar per time bucket. The selected bucket is described under the strip. */
export function HistoryStrip({ resolution, buckets, host }: HistoryStripProps) {
  const { selected, text, readerProps } = usePlotReader({
    label: `${resolution.title} of ${host}`,
    count: buckets.length,
    describe(index) {
      const bucket = buckets[index];
      if (!bucket) return "";
      return `${resolution.formatRange(bucket.from, bucket.from + resolution.lengthMs)}: ${describeOutcome(bucket)}`;
    },
  });
  if (buckets.length === 0) return null;
  return (
    <div>
      <chakra.div {...readerProps} height="8" borderRadius="sm" touchAction="pan-y" cursor="default">
        <chakra.svg
          aria-hidden
          display="block"
          width="full"
          height="full"
          viewBox={`0 0 ${buckets.length} ${stripHeight}`}
          preserveAspectRatio="none"
        >
          {selected !== null && (
            <chakra.rect x={selected} width="1" height={stripHeight} fill="border.emphasized" />
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
          <chakra.span color="fg">{text}</chakra.span>
        )}
      </chakra.p>
    </div>
  );
}
