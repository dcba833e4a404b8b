/** Formats an age in seconds: "12 s ago", "3 min ago", "5 h ago", "2 days ago". */
export function formatAge(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
}
