/** Formats the output of iputils' `ping -c N` for IPv4 and IPv6. */
export interface PingRun {
  /** The argument of ping, with the zone of a link-local address. */
  readonly target: string;
  /** Round-trip times in milliseconds, in order; null for a probe without a reply. */
  readonly probes: ReadonlyArray<number | null>;
}

const intervalMs = 1000;

export function pingText({ target, probes }: PingRun): string {
  const answered = probes.flatMap((ms) => ms ?? []);
  const loss = probes.length === 0 ? 100 : Math.round((1 - answered.length / probes.length) * 100);
  // ping waits for the last probe, and each further probe starts a little late.
  const time = Math.max(0, probes.length - 1) * intervalMs + probes.length + (answered.length === 0 ? 60 : 0);
  return [
    target.includes(":")
      ? `PING ${target}(${target}) 56 data bytes`
      : `PING ${target} (${target}) 56(84) bytes of data.`,
    ...probes.flatMap((ms, index) =>
      ms === null ? [] : [`64 bytes from ${target}: icmp_seq=${index + 1} ttl=64 time=${roundTrip(ms)} ms`],
    ),
    "",
    `--- ${target} ping statistics ---`,
    `${probes.length} packets transmitted, ${answered.length} received, ${loss}% packet loss, time ${time}ms`,
    answered.length === 0 ? "" : `rtt min/avg/max/mdev = ${statistics(answered)} ms`,
    "",
  ].join("\n");
}

/** Three significant digits, as iputils rounds. */
function roundTrip(ms: number): string {
  if (ms >= 100) return ms.toFixed(0);
  return ms.toFixed(ms >= 10 ? 1 : ms >= 1 ? 2 : 3);
}

function statistics(values: readonly number[]): string {
  const mean = values.reduce((sum, ms) => sum + ms, 0) / values.length;
  const square = values.reduce((sum, ms) => sum + ms * ms, 0) / values.length;
  const deviation = Math.sqrt(Math.max(0, square - mean * mean));
  return [Math.min(...values), mean, Math.max(...values), deviation].map((ms) => ms.toFixed(3)).join("/");
}
