/** Records BIRD's replies once BIRD is in the state that a judgement describes. */
import { setTimeout as pause } from "node:timers/promises";
import type { Family } from "#domain/peering/bgp-sessions.ts";
import type { Judgement } from "../../fixtures/router-outputs/judgement.ts";
import { findDifferences } from "./expectations.ts";
import type { Block } from "./output-file.ts";

export interface RecordOptions {
  /** Everything by default. `sessions` leaves out the listings of routes. */
  readonly commands?: "everything" | "sessions" | "none";
  /** Further commands. */
  readonly also?: readonly string[];
  /** Texts that `show protocols all` must contain before BIRD's replies are recorded. */
  readonly until?: readonly RegExp[];
}

export interface RecordingTarget {
  readonly write: (name: string, blocks: readonly Block[]) => void;
  readonly send: (command: string) => Promise<Buffer>;
  readonly judgement: Judgement;
}

const pollMs = 5;
const timeoutMs = 10_000;

/**
 * Repeats the commands until BIRD shows what the judgement says and its summary is the same before and after them.
 * Returns the differences that remained; the recording is written in any case.
 */
export async function recordCase(
  name: string,
  { write, send, judgement }: RecordingTarget,
  { commands = "everything", also = [], until = [] }: RecordOptions,
): Promise<readonly string[]> {
  const sessions = judgement.sessions.map((session) => session.name);
  const all = [...commandsFor(judgement, commands), ...also];
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const differences = await findAllDifferences(send, judgement, until);
    const isLate = performance.now() > deadline;
    if (differences.length === 0 || isLate) {
      const blocks: Block[] = [];
      for (const command of all) blocks.push({ command, reply: await send(command) });
      const summaryAfter = await send("show protocols");
      if (isLate || isConsistent(blocks, summaryAfter, sessions)) {
        write(name, blocks);
        return differences;
      }
    }
    await pause(pollMs);
  }
}

async function findAllDifferences(
  send: RecordingTarget["send"],
  { sessions }: Judgement,
  until: readonly RegExp[],
): Promise<readonly string[]> {
  const differences: string[] = [];
  let text = "";
  for (const session of sessions) {
    const output = (await send(`show protocols all ${session.name}`)).toString("utf8");
    text += output;
    const lines = output.split("\n").map((line) => line.replace(/^(?:[0-9]{4}[- ]| )/, ""));
    differences.push(...findDifferences(lines, session));
  }
  for (const pattern of until) if (!pattern.test(text)) differences.push(`no ${String(pattern)}`);
  return differences;
}

/** Whether all replies show the sessions with the same summary line. */
function isConsistent(blocks: readonly Block[], summaryAfter: Buffer, sessions: readonly string[]): boolean {
  const summaries = blocks
    .filter(({ command }) => command.startsWith("show protocols all"))
    .map(({ reply }) => reply);
  return sessions.every((name) => {
    const lines = [...summaries, summaryAfter].flatMap((reply) => summaryLine(reply, name) ?? []);
    return new Set(lines).size <= 1;
  });
}

/**
 * Returns a protocol's line without its code and without digits; null if the reply does not have it. BIRD computes the
 * time again for each reply, and the last digit changes.
 */
function summaryLine(reply: Buffer, name: string): string | null {
  const lines = reply.toString("latin1").split("\n");
  const line = lines
    .map((each) => each.replace(/^(?:1002-| )/, ""))
    .find((each) => each.startsWith(`${name} `));
  return line?.replaceAll(/[0-9]/g, "") ?? null;
}

const netTypes: Readonly<Record<Family, string>> = { IPv4: "NET_IP4", IPv6: "NET_IP6" };

/** The commands that the agent sends about sessions. */
function commandsFor(
  { sessions }: Judgement,
  choice: NonNullable<RecordOptions["commands"]>,
): readonly string[] {
  if (choice === "none") return [];
  const protocols = sessions.map(({ name }) => `show protocols all ${name}`);
  if (choice === "sessions") return protocols;
  const routes = sessions.flatMap(({ name, channels }) => [
    `show route all protocol ${name}`,
    ...channels.map(
      ({ family }) => `show route all filtered protocol ${name} where net.type = ${netTypes[family]}`,
    ),
    `show route all export ${name}`,
  ]);
  return [...protocols, ...routes];
}
