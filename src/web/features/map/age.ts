const minute = 60_000;
const units = [
  ["day", 24 * 60 * minute],
  ["hour", 60 * minute],
  ["minute", minute],
] as const;

const words = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** How long ago something was true: "3 minutes ago". */
export function ago(milliseconds: number): string {
  const fitting = units.find(([, length]) => milliseconds >= length);
  if (!fitting) return "less than a minute ago";
  const [unit, length] = fitting;
  return words.format(-Math.floor(milliseconds / length), unit);
}
