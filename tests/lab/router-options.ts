/** What a test sends to a driver in its own process, and what the process adds. */
import { createBirdControl } from "../../src/agent/drivers/bird/control-socket.ts";
import {
  createUnloadedChanges,
  type UnloadedChanges,
} from "../../src/agent/drivers/bird/unloaded-changes.ts";
import type { LinuxRouterOptions } from "../../src/agent/drivers/linux/linux-router.ts";

export interface SentOptions extends Omit<LinuxRouterOptions, "unloadedChanges" | "run" | "clock" | "log"> {
  /** Whether the agent may load what the operator has changed. */
  readonly mayLoadEdits?: boolean;
}

export function openUnloadedChanges(
  { birdSocket, birdDir, mayLoadEdits = false }: SentOptions,
  log: LinuxRouterOptions["log"],
): UnloadedChanges {
  return createUnloadedChanges({
    bird: createBirdControl(birdSocket),
    ownFolders: [birdDir],
    mayLoad: mayLoadEdits,
    log,
  });
}
