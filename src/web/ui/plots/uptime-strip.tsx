import { chakra } from "@chakra-ui/react/styled-system";
import { parseDisplayLocale } from "../../../contract/app/display-locale.ts";
import { describeUptime, type UptimeBuckets } from "./describe-uptime.ts";

export interface UptimeStripProps extends UptimeBuckets {
  /** What was up: a node's or a peering's name. */
  readonly label: string;
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
  const bars = shares.map((share, index) => ({ at: from + index * stepMs, x: index * pitch, share }));
  const text = describeUptime({ shares, from, stepMs }, formatTime);
  return (
    <Strip
      role="img"
      aria-label={`${label}: ${text}`}
      viewBox={`0 0 ${shares.length * pitch} ${height}`}
      preserveAspectRatio="none"
      style={{ width: full ? "100%" : shares.length * pitch }}
    >
      <title>{text}</title>
      {bars.map(({ at, x, share }) => (
        <Bar key={at} x={x} share={share} />
      ))}
    </Strip>
  );
}

function Bar({ x, share }: { readonly x: number; readonly share: number | null }) {
  if (share === null) return <rect className="none" x={x} y={height - 4} width={1.8} height={3} />;
  if (share === 1) return <rect className="up" x={x} y={7} width={1.8} height={13} />;
  if (share === 0) return <rect className="outage" x={x} y={0} width={1.8} height={height} />;
  return (
    <>
      <rect className="outage" x={x} y={0} width={1.8} height={9} />
      <rect className="up" x={x} y={11} width={1.8} height={9} />
    </>
  );
}

function formatTime(at: number): string {
  const time = new Date(at).toLocaleTimeString(parseDisplayLocale(navigator.language), {
    hour: "2-digit",
    minute: "2-digit",
  });
  return `at ${time}`;
}
