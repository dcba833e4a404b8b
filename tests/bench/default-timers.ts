/** A node whose agent leaves BIRD's timers at their defaults. The product has no switch for it. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LabHost } from "../../src/lab/namespaces.ts";
import { restartAgent } from "./agent-processes.ts";

const renderer = join(import.meta.dirname, "../../src/agent/drivers/bird/render.ts");
const timerLine = /^ *" *(?:connect delay time|connect retry time|error wait time) [^"]*",\n/gm;
const timers = 3;

/**
 * Puts a renderer without the timers in the place of the agent's own, in the node's mount namespace alone, and
 * starts the agent again.
 */
export async function useDefaultTimers(host: LabHost): Promise<void> {
  const text = await readFile(renderer, "utf8");
  const found = text.match(timerLine)?.length ?? 0;
  if (found !== timers) throw new Error(`${renderer} sets ${found} timers, and ${timers} were expected`);
  const changed = join(host.folder, "render.ts");
  await writeFile(changed, text.replace(timerLine, ""));
  await host.run("mount", "--bind", changed, renderer);
  await restartAgent(host);
}
