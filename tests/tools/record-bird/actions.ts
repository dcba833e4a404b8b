/** What several cases do. */
import { setTimeout as pause } from "node:timers/promises";
import type { Open } from "./speaker/messages.ts";
import type { BirdProcess } from "./bird-process.ts";
import type { Scene } from "./scene.ts";
import type { RemoteSpeaker, Transport } from "./speakers.ts";

const pollMs = 10;
const timeoutMs = 20_000;

/** Starts a participant's speaker and waits until the session is Established. */
export async function establish(
  { speaker }: Scene,
  n: 1 | 2,
  transport: Transport,
  open?: Partial<Open>,
): Promise<RemoteSpeaker> {
  const neighbour = speaker(n, transport, open);
  await neighbour.listen();
  await neighbour.waitFor("established");
  return neighbour;
}

/** Polls BIRD until a reply matches. */
export async function waitForReply(bird: BirdProcess, command: string, pattern: RegExp): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const reply = String(await bird.send(command));
    if (pattern.test(reply)) return;
    if (performance.now() > deadline) throw new Error(`BIRD replies to ${command}:\n${reply}`);
    await pause(pollMs);
  }
}

/** Loads the configuration and waits until BIRD runs it. */
export async function reconfigure(bird: BirdProcess): Promise<void> {
  const before = /Last reconfiguration on .*/.exec(String(await bird.send("show status")))?.[0] ?? "";
  const reply = String(await bird.send("configure"));
  if (!/^000[34] /m.test(reply)) throw new Error(`BIRD refused its configuration:\n${reply}`);
  await waitForReply(
    bird,
    "show status",
    new RegExp(`Last reconfiguration on (?!${before.slice("Last reconfiguration on ".length)})`),
  );
}
