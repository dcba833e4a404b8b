/** Makes an agent leave BIRD's timers at their defaults. The product has no option for it. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { restartAgent } from "./agent-processes.ts";

const renderer = join(import.meta.dirname, "../../../src/agent/drivers/bird/render.ts");
const timerLine = /^ *" *(?:connect delay time|connect retry time|error wait time) [^"]*",\n/gm;
const timers = 3;

/**
 * Replaces the agent's renderer by one without the timers, in the node's mount namespace only, and restarts the agent.
 */
export async function useDefaultTimers(host: LabHost): Promise<void> {
  const text = await readFile(renderer, "utf8");
  const found = text.match(timerLine)?.length ?? 0;
  if (found !== timers) throw new Error(`${renderer} sets ${found} timers instead of ${timers}`);
  const changed = join(host.folder, "render.ts");
  await writeFile(changed, text.replace(timerLine, ""));
  await host.run("mount", "--bind", changed, renderer);
  await restartAgent(host);
}
