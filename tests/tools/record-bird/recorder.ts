/** Records BIRD's replies once BIRD is in the state that a judgement describes. */
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { createReplyReader } from "#agent/drivers/bird/control-socket.ts";
import { parseSessions } from "#agent/drivers/bird/parse-session.ts";
import type { SessionDetail } from "#agent/drivers/router.ts";
import type { Family } from "#domain/peering/bgp-sessions.ts";
import type {
  ChannelJudgement,
  Judgement,
  SessionJudgement,
} from "../../fixtures/router-outputs/judgement.ts";
import type { Block } from "./output-file.ts";

export interface RecordOptions {
  /** Whether the listings of routes are recorded too. */
  readonly withRoutes?: boolean;
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
 * Repeats the commands until BIRD shows what the judgement says before and after them. Returns the differences that remained;
 * the recording is written in any case.
 */
export async function recordCase(
  name: string,
  { write, send, judgement }: RecordingTarget,
  { withRoutes = false, also = [], until = [] }: RecordOptions,
): Promise<readonly string[]> {
  const deadline = performance.now() + timeoutMs;
  const find = () => findAllDifferences(send, judgement, until);
  for (;;) {
    const isLate = performance.now() > deadline;
    const before = await find();
    if (before.length === 0 || isLate) {
      const blocks: Block[] = [];
      for (const command of [...commandsFor(judgement, withRoutes), ...also])
        blocks.push({ command, reply: await send(command) });
      const differences = isLate ? before : await find();
      if (differences.length === 0 || isLate) {
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
  const found: SessionDetail[] = [];
  let text = "";
  for (const { name } of sessions) {
    const output = (await send(`show protocols all ${name}`)).toString("utf8");
    text += output;
    const [reply] = createReplyReader().push(output) ?? [];
    if (reply) found.push(...parseSessions(reply));
  }
  return [
    ...sessions.flatMap((session) =>
      findDifferences(
        session,
        found.find(({ name }) => name === session.name),
      ),
    ),
    ...until.flatMap((pattern) => (pattern.test(text) ? [] : [`no ${String(pattern)}`])),
  ];
}

const counted = ({ imported, filtered, invalidUpdates }: ChannelJudgement) =>
  [imported ?? 0, filtered ?? 0, invalidUpdates ?? 0].join();

/** Returns what the agent reads otherwise than judged. Limits are not compared: BIRD does not always mark them. */
function findDifferences(expected: SessionJudgement, found: SessionDetail | undefined): readonly string[] {
  const values: ReadonlyArray<readonly [name: string, expected: unknown, found: unknown]> = [
    ["state", expected.state, found?.state],
    ["last error", expected.lastError, found?.detail],
    ["neighbour", expected.neighbour, found?.neighbour],
    ...expected.channels.map((channel, index) => {
      const { accepted, filtered, malformedUpdates } = found?.routes[index] ?? {};
      return [channel.family, counted(channel), [accepted, filtered, malformedUpdates].join()] as const;
    }),
  ];
  return values.flatMap(([name, wanted, actual]) =>
    isDeepStrictEqual(wanted, actual)
      ? []
      : [`${expected.name}: ${name} is ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`],
  );
}

const netTypes: Readonly<Record<Family, string>> = { IPv4: "NET_IP4", IPv6: "NET_IP6" };

/** The commands that the agent sends about sessions. */
function commandsFor({ sessions }: Judgement, withRoutes: boolean): readonly string[] {
  const protocols = sessions.map(({ name }) => `show protocols all ${name}`);
  if (!withRoutes) return protocols;
  const routes = sessions.flatMap(({ name, channels }) => [
    `show route all protocol ${name}`,
    ...channels.map(
      ({ family }) => `show route all filtered protocol ${name} where net.type = ${netTypes[family]}`,
    ),
    `show route all export ${name}`,
  ]);
  return [...protocols, ...routes];
}
