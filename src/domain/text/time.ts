/** A time of UTC to the minute, "2026-12-15 00:00 UTC". */
export function formatTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
