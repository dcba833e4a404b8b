import { readFileSync } from "node:fs";

/** The kernel counts in hundredths of a second on every machine that Node.js runs on. */
const ticksPerSecond = 100;

/**
 * The seconds of processor time that this process's ended children have used, with their own ended children. Source: fields
 * 16 and 17 of `/proc/self/stat`, proc(5).
 */
export function secondsOfEndedChildren(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The second field, the name in brackets, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}
