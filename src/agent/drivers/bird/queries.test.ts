import { expect, test } from "vitest";
import { sessionsOf } from "#domain/peering/bgp-sessions.ts";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { dualStackOf, peeringOf } from "../../fixtures/peerings.ts";
import { BirdUnavailableError } from "./control-socket.ts";
import { createBirdQueries } from "./queries.ts";

const name = "dn42_4242420001";
const single = sessionsOf(peeringOf(1));
const dual = sessionsOf(dualStackOf(1));
const filteredOf = (session: string) => `show route all filtered protocol ${session}`;

/** A fake BIRD that prints these lines for a command, and otherwise nothing. */
function birdPrinting(replies: Readonly<Record<string, readonly string[]>>, isTruncated = false) {
  const commands: string[] = [];
  const queries = createBirdQueries(async (command, { outputLimitBytes } = {}) => {
    commands.push(command);
    // Only the reply about all sessions has the socket's own limit.
    expect(outputLimitBytes).toBe(command.includes('"') ? undefined : 240 * 1024);
    return { ...replyOf(...(replies[command] ?? ["0000 "])), isTruncated };
  }, "4242422227");
  return { queries, commands };
}

const established = (session: string) => [
  `1002-${session} BGP        ---        up     00:50:47.580  Established   `,
  "1006-  BGP state:          Established",
];
const route = ["1007-172.20.1.0/26 unicast [dn42 00:50:47.580] * (100) [AS4242420001i]"];
const routeText = "172.20.1.0/26 unicast [dn42 00:50:47.580] * (100) [AS4242420001i]\n";

test("queries each channel separately, so that one address family does not hide the other", async () => {
  const { queries, commands } = birdPrinting({});
  await queries.refused(single);
  await queries.refused(dual);
  expect(commands).toEqual([
    `show protocols all ${name}`,
    `${filteredOf(name)} where net.type = NET_IP4`,
    `${filteredOf(name)} where net.type = NET_IP6`,
    `show protocols all ${name}_v4`,
    `show protocols all ${name}_v6`,
    `${filteredOf(`${name}_v4`)} where net.type = NET_IP4`,
    `${filteredOf(`${name}_v6`)} where net.type = NET_IP6`,
  ]);
});

test("lists 500 routes and returns BIRD's own total", async () => {
  const counts = "     Routes:         0 imported, 6000 filtered, 1 exported, 0 preferred";
  const routes = Array.from(
    Array(700).keys(),
    (n) => `1007-10.${n >> 8}.${n & 255}.0/24 unicast [dn42 00:50:47.580] * (100) [AS4242420001i]`,
  );
  const limits = ["   Channel ipv4", "     Receive limit:  6000", counts, "0000 "];
  const { queries } = birdPrinting({
    [`show protocols all ${name}`]: [...established(name), ...limits],
    [`${filteredOf(name)} where net.type = NET_IP4`]: [...routes, "0000 "],
  });
  const facts = await queries.refused(single);
  expect(facts.routes).toHaveLength(500);
  expect({ ...facts, routes: [] }).toEqual({
    routes: [],
    totals: { ipv4: 6000, ipv6: 0 },
    limits: [{ family: "IPv4", kind: "receive", routes: 6000 }],
  });
});

test("where BIRD replies with an error, the facts are unknown, and a text contains the error", async () => {
  const error = replyOf("9001 syntax error, unexpected CF_SYM_UNDEFINED");
  const queries = createBirdQueries(async () => error, "4242422227");
  await expect(queries.refused(single)).rejects.toThrow("BIRD replied: 9001 syntax error");
  await expect(queries.observe(() => new Set([name]))).rejects.toThrow(BirdUnavailableError);
  expect(await queries.sessions(single)).toEqual([]);
  expect(await queries.received(single)).toContain("syntax error, unexpected CF_SYM_UNDEFINED");
});

test("observes the sessions that are wanted when BIRD has replied, with one command; there may be none", async () => {
  const command = 'show protocols all "dn42_*"';
  const sessions = [...established(name), ...established("dn42_4242420002"), "0000 "];
  const { queries, commands } = birdPrinting({ [command]: sessions });
  const wantedThen = () => new Set(commands.length === 1 ? ["dn42_4242420002"] : []);
  expect(await queries.observe(wantedThen)).toMatchObject([
    { name: "dn42_4242420002", state: "Established" },
  ]);
  expect(commands).toEqual([command]);
  const empty = birdPrinting({ [command]: ["8003 No protocols match"] });
  expect(await empty.queries.observe(() => new Set([name]))).toEqual([]);
});

test("the details are what birdc prints of each session", async () => {
  const { queries, commands } = birdPrinting({
    [`show protocols all ${name}_v4`]: [...established(`${name}_v4`), "0000 "],
    [`show protocols all ${name}_v6`]: ["8003 No protocols match"],
  });
  expect(await queries.details(dual)).toBe(
    "dn42_4242420001_v4 BGP        ---        up     00:50:47.580  Established   \n" +
      "  BGP state:          Established\nNo protocols match\n",
  );
  expect(commands).toHaveLength(2);
  // One that BIRD does not know is left out.
  expect(await queries.sessions(dual)).toMatchObject([{ name: `${name}_v4` }]);
});

test.each([
  [true, "0012 v6: restarted", "v4: restarted\nv6: restarted\n"],
  [false, "8008 v6: already disabled", "v4: restarted\nv6: already disabled\n"],
])("a restart is successful if BIRD restarts every session: %s", async (ok, second, output) => {
  const { queries, commands } = birdPrinting({
    [`restart ${name}_v4`]: ["0012 v4: restarted"],
    [`restart ${name}_v6`]: [second],
  });
  expect(await queries.restart(dual)).toEqual({ ok, output });
  expect(commands.slice(2)).toEqual([`restart ${name}_v4`, `restart ${name}_v6`]);
});

const disabled = (session: string) => [
  `1002-${session} BGP        ---        down   07:22:40.000  `,
  "1006-  BGP state:          Down",
  "0000 ",
];
const notRestarted = (session: string) => `${session}: not restarted, the provider has disabled it\n`;

test("a restart leaves sessions alone that the operator disabled, and says so", async () => {
  const one = birdPrinting({
    [`show protocols all ${name}_v4`]: disabled(`${name}_v4`),
    [`restart ${name}_v6`]: ["0012 v6: restarted"],
  });
  expect(await one.queries.restart(dual)).toEqual({
    ok: true,
    output: `v6: restarted\n${notRestarted(`${name}_v4`)}`,
  });
  const all = birdPrinting({ [`show protocols all ${name}`]: disabled(name) });
  expect(await all.queries.restart(single)).toEqual({ ok: false, output: notRestarted(name) });
  expect(all.commands).toEqual([`show protocols all ${name}`]);
});

test("the received routes are the accepted ones, and below them the refused ones with their reasons", async () => {
  const accepted = { [`show route all protocol ${name}`]: [...route, "0000 "] };
  const refusedLines = [...route, "1012-\tBGP.large_community: (4242422227, 4242, 1)", "0000 "];
  const both = birdPrinting({ ...accepted, [filteredOf(name)]: refusedLines });
  const refused = `${routeText}\tBGP.large_community: (4242422227, 4242, 1) [refused: a default route]\n`;
  expect(await both.queries.received(single)).toBe(`${routeText}\nFiltered:\n${refused}`);
  expect(await birdPrinting(accepted).queries.received(single)).toBe(routeText);
  expect(await birdPrinting({}).queries.received(single)).toBe("");
});

test.each<[string, readonly string[], boolean, string]>([
  ["that BIRD exports to the session", [...route, "0000 "], false, routeText],
  ["with an empty line inside and none at the end", ["1007-", " second", "0000 "], false, "\nsecond\n"],
  ["that were cut off", [...route, "0000 "], true, `${routeText}(truncated here, after code 0)\n`],
])("the advertised routes are those %s", async (_, lines, isTruncated, text) => {
  const { queries } = birdPrinting({ [`show route all export ${name}`]: lines }, isTruncated);
  expect(await queries.advertised(single)).toBe(text);
});
