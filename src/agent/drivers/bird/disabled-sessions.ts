/**
 * Sessions that the operator disabled with `birdc disable`.
 *
 * At every `configure`, also of unchanged files, BIRD enables a protocol that the operator disabled by hand, and disables one
 * that the files disable but the operator enabled. So the files must say what BIRD does before BIRD reads them.
 */
import type { Clock } from "../../clock.ts";
import { showAllSessions } from "./all-sessions.ts";
import type { BirdControl, BirdReply } from "./control-socket.ts";
import { parseHeading, parseSessions } from "./parse-session.ts";

/** Whether a session is disabled, by its name. Sessions that BIRD does not have are absent. */
export type DisabledStates = ReadonlyMap<string, boolean>;

/** A session that BIRD restarts by itself is down for less than this. */
const settleMs = 200;

/**
 * Reads which sessions are disabled. A session that is not known to be disabled is read twice, because one that starts again
 * is down for a moment. BIRD's own reasons to disable a session, which are errors, do not count.
 *
 * @param known the names of sessions that BIRD's files disable
 */
export async function readDisabled(
  bird: BirdControl,
  known: ReadonlySet<string>,
  clock: Pick<Clock, "sleep">,
): Promise<DisabledStates> {
  const states = parseDown(await showAllSessions(bird, "show protocols"));
  const candidates = Array.from(states).flatMap(([name, isDown]) => (isDown && !known.has(name) ? name : []));
  if (candidates.length === 0) return states;
  await clock.sleep(settleMs);
  const sessions = parseSessions(await showAllSessions(bird, "show protocols all"));
  const disabled = new Set(sessions.flatMap(({ name, isDisabled }) => (isDisabled === true ? name : [])));
  return new Map(
    Array.from(states, ([name, isDown]) => [name, isDown && (known.has(name) || disabled.has(name))]),
  );
}

/** Runs a job that makes BIRD load older files, and disables again what these enable. */
export async function keepDisabled<T>(
  bird: BirdControl,
  clock: Pick<Clock, "sleep">,
  job: () => Promise<T>,
): Promise<T> {
  const before = await readDisabled(bird, new Set(), clock);
  const result = await job();
  const disabled = Array.from(before).filter(([, isDisabled]) => isDisabled);
  if (disabled.length === 0) return result;
  const after = parseDown(await showAllSessions(bird, "show protocols"));
  for (const [name] of disabled) if (after.get(name) === false) await bird(`disable ${name}`);
  return result;
}

function parseDown({ lines }: BirdReply): DisabledStates {
  const headings = lines.flatMap((line) => parseHeading(line) ?? []);
  return new Map(headings.map(({ name, state }) => [name, state === "down"]));
}
