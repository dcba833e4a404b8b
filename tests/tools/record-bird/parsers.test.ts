/** The agent reads every recording of BIRD as its judgement says. */
import { describe, expect, test } from "vitest";
import { type BirdControl, type BirdReply, isBirdError } from "#agent/drivers/bird/control-socket.ts";
import { createBirdQueries } from "#agent/drivers/bird/queries.ts";
import { parseRouteCounts } from "#agent/drivers/linux/node-usage.ts";
import type { SessionDetail, SessionObservation } from "#agent/drivers/router.ts";
import { triedVersions } from "#agent/setup/bird-version.ts";
import type { BgpSession } from "#domain/peering/bgp-sessions.ts";
import { parseRouteListing } from "#web/features/peerings/troubleshooting/route-listing.ts";
import type { RefusedRouteJudgement, SessionJudgement } from "../../fixtures/router-outputs/judgement.ts";
import { readRouterOutputs, replyTo, type RouterOutput } from "../../support/router-outputs.ts";

const outputs = await readRouterOutputs();
const withSessions = outputs.filter(({ judgement }) => judgement.sessions.length > 0);

function queriesOf(output: RouterOutput) {
  const bird: BirdControl = async (command) =>
    command === 'show protocols all "dn42_*"' ? replyToAll(output) : replyTo(output, command);
  return createBirdQueries(bird, "4242422227");
}

/** The recordings have a reply for each session, or one for all protocols. BIRD prints one after the other. */
function replyToAll(output: RouterOutput): BirdReply {
  const all = output.replies.find(({ command }) => command === "show protocols all");
  if (all) return all.reply;
  const replies = output.judgement.sessions.map(({ name }) => replyTo(output, `show protocols all ${name}`));
  const [last] = replies.slice(-1);
  if (!last) throw new Error(`${output.name} has no sessions`);
  return { ...last, lines: replies.flatMap(({ lines }) => lines.slice(0, -1)) };
}

function sessionOf({ name, channels }: SessionJudgement): BgpSession {
  const families = channels.map(({ family }) => family);
  return { name, transport: "IPv6", channels: families, extendedNextHop: false };
}

/** What the agent has to read. Without channels, a judgement is about the state alone. */
function expectedDetail(session: SessionJudgement, found: SessionObservation | undefined): SessionDetail {
  const { name, state, isDisabled, lastError, neighbour, channels } = session;
  const routes = channels.map(({ family, imported, filtered, invalidUpdates, limits }) => ({
    family,
    // Not judged while the session is up: the number depends on the other sessions of the recording. Before, nothing was sent.
    exported: state === "Established" ? (expect.any(Number) as number) : 0,
    // A channel that is down has no routes.
    accepted: imported ?? 0,
    filtered: filtered ?? 0,
    malformedUpdates: invalidUpdates ?? 0,
    limits: limits.map((limit) => ({ family, ...limit })),
  }));
  return {
    name,
    state,
    ...(isDisabled && { isDisabled }),
    detail: lastError,
    neighbour,
    routes: channels.length === 0 ? (found?.routes ?? []) : routes,
  };
}

describe.each([...Map.groupBy(withSessions, ({ version }) => version)])("BIRD %s", (_, recorded) => {
  test.each(recorded)("$name: all sessions, and each of them", async (output) => {
    const { sessions } = output.judgement;
    const queries = queriesOf(output);
    const names = sessions.map(({ name }) => name);
    const observed = await queries.observe(() => new Set(names));
    expect(observed.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name))).toEqual(
      sessions.map((session, index) => expectedDetail(session, observed[index])),
    );
    const details = await queries.sessions(sessions.map(sessionOf));
    expect(details).toEqual(sessions.map((session, index) => expectedDetail(session, details[index])));
  });
});

/** As the agent reports it: a path that BIRD shortens ends before a number that is cut. */
function expectedRoute({ prefix, reason, origin, asPath, isPathShortened }: RefusedRouteJudgement) {
  const path = isPathShortened ? expect.stringMatching(/ …$/) : asPath;
  const family = prefix.includes(":") ? "IPv6" : "IPv4";
  return { prefix, family, reason, origin, asPath: path };
}

function byPrefix(a: { readonly prefix: string }, b: { readonly prefix: string }): number {
  return a.prefix.localeCompare(b.prefix);
}

/** The sessions of a recording whose refused routes are judged and recorded. */
function refusedSessionsOf({ judgement, replies }: RouterOutput): readonly SessionJudgement[] {
  return judgement.sessions.filter(
    ({ name, channels }) =>
      channels.some(({ refused }) => refused !== undefined) &&
      replies.some(({ command }) => command.startsWith(`show route all filtered protocol ${name} where `)),
  );
}

const withRefused = outputs.filter((output) => refusedSessionsOf(output).length > 0);

test.each(withRefused)("BIRD $version, $name: the refused routes", async (output) => {
  const sessions = refusedSessionsOf(output);
  const { routes } = await queriesOf(output).refused(sessions.map(sessionOf));
  const expected = sessions.flatMap(({ channels }) => channels.flatMap(({ refused = [] }) => refused));
  expect(routes.toSorted(byPrefix)).toEqual(expected.toSorted(byPrefix).map(expectedRoute));
});

test("each version has the same cases, except those that it cannot show", () => {
  const names = [...new Set(outputs.map(({ name }) => name))];
  for (const [version, recorded] of Map.groupBy(outputs, (output) => output.version)) {
    const missing = names.filter((name) => !recorded.some((output) => output.name === name));
    expect([version, ...missing]).toEqual(version.startsWith("3.") ? [version, "closing"] : [version]);
  }
});

test("setup names the recorded versions as tried", () => {
  expect(new Set(outputs.map(({ version }) => version))).toEqual(new Set(triedVersions));
});

test("an error reply is not a number, and a table that BIRD does not have is unknown", () => {
  const errors = outputs.flatMap(({ replies }) => replies.filter(({ reply }) => reply.code >= 8000));
  expect(errors.length).toBeGreaterThan(0);
  for (const { reply } of errors) expect(parseRouteCounts(reply)).toEqual({ ipv4: null, ipv6: null });
});

test("the web app recognises every recorded listing of routes as BIRD's", () => {
  const listings = outputs
    .flatMap(({ replies }) => replies)
    .filter(({ command, reply }) => command.startsWith("show route all ") && !isBirdError(reply));
  expect(listings.length).toBeGreaterThan(500);
  for (const { command, reply } of listings) {
    const text = reply.lines.map((line) => line.text).join("\n");
    expect([command, text, parseRouteListing(text).hasOtherLines]).toEqual([command, text, false]);
  }
});
