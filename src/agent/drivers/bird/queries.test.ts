import { expect, test } from "vitest";
import { sessionsOf } from "#domain/peering/bgp-sessions.ts";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { dualStackOf, peeringOf } from "../../fixtures/peerings.ts";
import {
  type BirdCallOptions,
  type BirdControl,
  type BirdReply,
  BirdUnavailableError,
} from "./control-socket.ts";
import { createBirdQueries } from "./queries.ts";

const show = "show route all filtered protocol";

/** A fake BIRD whose IPv4 channel rejects that many routes, and whose other channels reject none. */
function birdRejecting(total: number) {
  const commands: string[] = [];
  const limits: Array<number | undefined> = [];
  const sendCommand = async (command: string, options: BirdCallOptions = {}): Promise<BirdReply> => {
    commands.push(command);
    limits.push(options.outputLimitBytes);
    if (command.startsWith("show protocols")) {
      const name = command.split(" ").at(-1) ?? "";
      const hit = total >= 6000 ? " [HIT]" : "";
      return replyOf(
        `1002-${name} BGP        ---        up     00:50:47.580  Established   `,
        "1006-  BGP state:          Established",
        "   Channel ipv4",
        `     Receive limit:  6000${hit}`,
        `     Routes:         0 imported, ${total} filtered, 1 exported, 0 preferred`,
        "   Channel ipv6",
        "     Routes:         1 imported, 0 filtered, 1 exported, 0 preferred",
        "0000 ",
      );
    }
    if (!command.includes("NET_IP4")) return replyOf("0000 ");
    const routes = Array.from({ length: Math.min(total, 700) }, (_, index) => [
      `1007-10.${index >> 8}.${index & 255}.0/24 unicast [dn42 00:50:47.580] * (100) [AS4242420001i]`,
      "1012-\tBGP.large_community: (4242422227, 4242, 5)",
    ]);
    return replyOf(...routes.flat(), "0000 ");
  };
  return { queries: createBirdQueries(sendCommand, "4242422227"), commands, limits };
}

test("queries each channel separately, so that one address family does not hide the other", async () => {
  const { queries, commands, limits } = birdRejecting(3);
  await queries.refused(sessionsOf(peeringOf(1)));
  await queries.refused(sessionsOf(dualStackOf(1)));
  expect(commands).toEqual([
    "show protocols all dn42_4242420001",
    `${show} dn42_4242420001 where net.type = NET_IP4`,
    `${show} dn42_4242420001 where net.type = NET_IP6`,
    "show protocols all dn42_4242420001_v4",
    "show protocols all dn42_4242420001_v6",
    `${show} dn42_4242420001_v4 where net.type = NET_IP4`,
    `${show} dn42_4242420001_v6 where net.type = NET_IP6`,
  ]);
  expect(new Set(limits)).toEqual(new Set([240 * 1024]));
});

test("lists 500 routes and returns BIRD's own total", async () => {
  const facts = await birdRejecting(6000).queries.refused(sessionsOf(peeringOf(1)));
  expect(facts.routes).toHaveLength(500);
  expect({ ...facts, routes: [] }).toEqual({
    routes: [],
    totals: { ipv4: 6000, ipv6: 0 },
    limits: [{ family: "IPv4", kind: "receive", routes: 6000 }],
  });
});

const failing: BirdControl = async () => replyOf("9001 syntax error, unexpected CF_SYM_UNDEFINED");

test("where BIRD replies with an error, the facts are unknown, and a text contains the error", async () => {
  const queries = createBirdQueries(failing, "4242422227");
  const sessions = sessionsOf(peeringOf(1));
  await expect(queries.refused(sessions)).rejects.toThrow("BIRD replied: 9001 syntax error");
  await expect(queries.observe(() => new Set(["dn42_4242420001"]))).rejects.toThrow(BirdUnavailableError);
  expect(await queries.sessions(sessions)).toEqual([]);
  expect(await queries.received(sessions)).toContain("syntax error, unexpected CF_SYM_UNDEFINED");
});

test("observes all sessions with one command, and a node without sessions has none", async () => {
  const commands: string[] = [];
  const queries = createBirdQueries(async (command) => {
    commands.push(command);
    return replyOf("8003 No protocols match");
  }, "4242422227");
  expect(await queries.observe(() => new Set(["dn42_4242420001"]))).toEqual([]);
  expect(commands).toEqual(['show protocols all "dn42_*"']);
});

/** A fake BIRD that prints these lines for a command, and otherwise nothing. */
function birdPrinting(replies: Readonly<Record<string, readonly string[]>>) {
  const commands: string[] = [];
  const queries = createBirdQueries(async (command) => {
    commands.push(command);
    return replyOf(...(replies[command] ?? ["0000 "]));
  }, "4242422227");
  return { queries, commands };
}

const single = sessionsOf(peeringOf(1));
const name = "dn42_4242420001";
const established = (session: string) => [
  `1002-${session} BGP        ---        up     00:50:47.580  Established   `,
  "1006-  BGP state:          Established",
];

test("observes only the wanted ones of all sessions, as they are when BIRD has replied", async () => {
  const wanted = new Set<string>();
  const queries = createBirdQueries(async () => {
    wanted.add("dn42_4242420002");
    return replyOf(...[1, 2].flatMap((n) => established(`dn42_424242000${n}`)), "0000 ");
  }, "4242422227");
  expect(await queries.observe(() => wanted)).toMatchObject([
    { name: "dn42_4242420002", state: "Established" },
  ]);
});

test("the details are what birdc prints of each session", async () => {
  const { queries, commands } = birdPrinting({
    "show protocols all dn42_4242420001_v4": [...established("dn42_4242420001_v4"), "0000 "],
    "show protocols all dn42_4242420001_v6": ["8003 No protocols match"],
  });
  const sessions = sessionsOf(dualStackOf(1));
  expect(await queries.details(sessions)).toBe(
    "dn42_4242420001_v4 BGP        ---        up     00:50:47.580  Established   \n" +
      "  BGP state:          Established\nNo protocols match\n",
  );
  expect(commands).toHaveLength(2);
  // One that BIRD does not know is left out.
  expect(await queries.sessions(sessions)).toMatchObject([{ name: "dn42_4242420001_v4" }]);
});

test("a restart is successful if BIRD restarts every session", async () => {
  const [v4, v6] = ["restart dn42_4242420001_v4", "restart dn42_4242420001_v6"];
  const sessions = sessionsOf(dualStackOf(1));
  const restarted = birdPrinting({ [v4]: ["0012 v4: restarted"], [v6]: ["0012 v6: restarted"] });
  expect(await restarted.queries.restart(sessions)).toEqual({
    ok: true,
    output: "v4: restarted\nv6: restarted\n",
  });
  expect(restarted.commands).toEqual([v4, v6]);
  const partly = birdPrinting({ [v4]: ["0012 v4: restarted"], [v6]: ["8008 v6: already disabled"] });
  expect(await partly.queries.restart(sessions)).toEqual({
    ok: false,
    output: "v4: restarted\nv6: already disabled\n",
  });
});

const route = ["1007-172.20.1.0/26 unicast [dn42 00:50:47.580] * (100) [AS4242420001i]"];
const routeText = "172.20.1.0/26 unicast [dn42 00:50:47.580] * (100) [AS4242420001i]\n";

test("the received routes are the accepted ones, and below them the refused ones with their reasons", async () => {
  const accepted = `show route all protocol ${name}`;
  const filtered = `${show} ${name}`;
  const refusedLines = [...route, "1012-\tBGP.large_community: (4242422227, 4242, 1)", "0000 "];
  const both = birdPrinting({ [accepted]: [...route, "0000 "], [filtered]: refusedLines });
  expect(await both.queries.received(single)).toBe(
    `${routeText}\nFiltered:\n${routeText}\tBGP.large_community: (4242422227, 4242, 1) [refused: a default route]\n`,
  );
  expect(both.commands).toEqual([accepted, filtered]);
  const accepting = birdPrinting({ [accepted]: [...route, "0000 "] });
  expect(await accepting.queries.received(single)).toBe(routeText);
  expect(await birdPrinting({}).queries.received(single)).toBe("");
});

test("the advertised routes are those that BIRD exports to the session", async () => {
  const command = `show route all export ${name}`;
  const { queries, commands } = birdPrinting({ [command]: [...route, "0000 "] });
  expect(await queries.advertised(single)).toBe(routeText);
  expect(commands).toEqual([command]);
});

test("an empty line is kept inside a text and dropped at its end", async () => {
  const command = `show route all export ${name}`;
  const { queries } = birdPrinting({ [command]: ["1007-", " second", "0000 "] });
  expect(await queries.advertised(single)).toBe("\nsecond\n");
});

test("a text that is too long says that it is cut off, and after which code", async () => {
  const queries = createBirdQueries(
    async () => ({ ...replyOf(...route, "0000 "), isTruncated: true }),
    "4242422227",
  );
  expect(await queries.advertised(single)).toMatch(
    /^172\.20\.1\.0\/26 .*\n\(truncated here, after code 0\)\n$/,
  );
});
