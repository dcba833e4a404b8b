import { chakra } from "@chakra-ui/react/styled-system";
import type { Series } from "#domain/plot.ts";
import { describeUptime, type UptimeBuckets } from "./describe-uptime.ts";
import { formatTimeOfDay } from "../text/time-of-day.ts";

export interface UptimeStripProps extends UptimeBuckets {
  /** What was up: a node's or a peering's name. Without it, the strip is hidden from screen readers. */
  readonly label?: string;
  /** As wide as the place it is in, instead of 144 px. */
  readonly full?: boolean;
}

const height = 20;
const pitch = 3;

const Strip = chakra("svg", {
  base: {
    display: "block",
    height: `${height}px`,
    "& .up": { fill: "plot.good" },
    "& .outage": { fill: "plot.down" },
    "& .none": { fill: "plot.unknown" },
  },
});

/** A bar for each time bucket: up is low, down is high, and partly down has both. Without data there is a dot. */
export function UptimeStrip({ shares, from, stepMs, label, full = false }: UptimeStripProps) {
  const text = label && uptimeText({ shares, from, stepMs });
  return (
    <Strip
      {...(text ? { role: "img", "aria-label": `${label}: ${text}` } : { "aria-hidden": true })}
      viewBox={`0 0 ${shares.length * pitch} ${height}`}
      preserveAspectRatio="none"
      style={{ width: full ? "100%" : shares.length * pitch }}
    >
      {text && <title>{text}</title>}
      <path className="up" d={bars(shares, (share) => (share === 1 ? [7, 13] : share && [11, 9]))} />
      <path
        className="outage"
        d={bars(shares, (share) => share !== 1 && share !== null && [0, share ? 9 : height])}
      />
      <path className="none" d={bars(shares, (share) => share === null && [height - 4, 3])} />
    </Strip>
  );
}

/** "Up 99.40% of the last 24 hours, down once between 15:30 and 16:00". */
export function uptimeText(buckets: UptimeBuckets): string {
  return describeUptime(
    buckets,
    (start, end) => `between ${formatTimeOfDay(start)} and ${end === null ? "now" : formatTimeOfDay(end)}`,
  );
}

type Bar = readonly [y: number, height: number];

/** The bars of one colour as one path: an element for each would cost a slow phone a long task. */
function bars(shares: Series, barOf: (share: number | null) => Bar | false | 0 | null): string {
  return shares
    .map((share, index) => {
      const bar = barOf(share);
      return bar ? `M${index * pitch} ${bar[0]}h1.8v${bar[1]}h-1.8z` : "";
    })
    .join("");
}
