import { truncatedMark } from "#contract/diagnostics.ts";
import type { Run } from "#system/processes.ts";

/** With the mark at its end, at most 1 MiB, as the `Router` interface says. */
const outputLimitBytes = 1024 * 1024 - 64;

/** Returns the output of `wg show`; a truncated one says so in its last line. */
export async function showTunnel(run: Run, name: string): Promise<string> {
  const { stdout, stderr, isTruncated } = await run("wg", ["show", name], { outputLimitBytes });
  return stdout + stderr + (isTruncated ? `\n${truncatedMark})\n` : "");
}
