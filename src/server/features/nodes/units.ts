const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Bytes as `wg show` writes them: "148 B", "1.21 MiB". */
export function formatBytes(bytes: number): string {
  const power = Math.min(byteUnits.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(2)} ${byteUnits[power]}`;
}

/** Seconds as `uptime` writes them: "12 days, 3:04". */
export function formatUptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const days = Math.floor(minutes / 1440);
  const clock = `${Math.floor((minutes % 1440) / 60)}:${String(minutes % 60).padStart(2, "0")}`;
  return days === 0 ? clock : `${days} ${days === 1 ? "day" : "days"}, ${clock}`;
}

/** A round trip in milliseconds; empty when unknown. */
export function formatLatency(milliseconds: number | null): string {
  return milliseconds === null ? "" : `${milliseconds.toFixed(1)} ms`;
}
