import { expect, onTestFinished, test } from "vitest";
import { createManualClock } from "../../fixtures/manual-clock.ts";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { peeringOf, routed } from "../../fixtures/peerings.ts";
import { processResult } from "../../fixtures/process-result.ts";
import { silentLog } from "../../fixtures/silent-log.ts";
import { BirdUnavailableError } from "../bird/control-socket.ts";
import { createSessionHistory } from "./session-history.ts";
import { watchSessions } from "./watch-sessions.ts";

const name = "dn42_4242420001";
const asn = "4242420001";

/** The last column of BIRD's line, or the state of a session that is up. */
type BirdState =
  | "up"
  | "gone"
  | "Active        "
  | `${string}Hold timer expired`
  | `Active        Socket: ${string}`;

interface Tcp {
  readonly port: number;
  readonly queued: number;
  readonly confirmed: number;
  /** How long ago data was received, in seconds. */
  readonly received: number;
}

/** A node with one session, whose BIRD and connection are what the test says. */
function createScene() {
  const clock = createManualClock();
  const scene = {
    bird: "up" as BirdState | "unavailable",
    tcp: null as Tcp | null | "unreadable",
    commands: [] as string[],
    runs: 0,
    since: "07:22:40.000",
    /** What BIRD's clock is ahead of UTC. */
    zoneMs: 2 * 3_600_000,
  };
  const watch = watchSessions({
    providerAsn: "4242422227",
    bird: async (command) => {
      scene.commands.push(command);
      const { bird, since } = scene;
      if (bird === "unavailable") throw new BirdUnavailableError("no socket");
      if (command === "show status") {
        const time = new Date(clock.now() + scene.zoneMs).toISOString().slice(0, -1).replace("T", " ");
        return replyOf("1011-Router ID is 172.20.0.1", ` Current server time is ${time}`, "0013 Up");
      }
      if (bird === "gone") return replyOf("8003 No protocols match");
      if (command === `restart ${name}`) return replyOf(`0012 ${name}: restarted`);
      const info = bird === "up" ? "Established   " : bird;
      return replyOf(
        `1002-${name} BGP        ---        ${bird === "up" ? "up" : "start"}     ${since}  ${info}`,
        ...(command.includes(" all ")
          ? [
              `1006-  BGP state:          ${bird === "up" ? "Established" : "Active"}`,
              "   Channel ipv4",
              "     State:          UP",
              "     Routes:         0 imported, 0 filtered, 1003 exported, 0 preferred",
            ]
          : []),
        "0000 ",
      );
    },
    run: async () => {
      scene.runs += 1;
      if (scene.tcp === "unreadable") return processResult("", 1);
      if (scene.tcp === null) return processResult("");
      const { port, queued, confirmed, received } = scene.tcp;
      return processResult(
        `ESTAB 0 ${queued} [fe80::2227]%${name}:${port} [fe80::1]:179\n` +
          `\t bbr rto:208 rtt:1.9/1.1 bytes_acked:${confirmed} lastrcv:${received * 1000}\n`,
      );
    },
    running: () => new Map([[asn, routed(peeringOf(1))]]),
    clock,
    log: silentLog,
  });
  onTestFinished(() => watch[Symbol.asyncDispose]());
  const observe = async () => {
    const [session] = await watch.observe(() => new Set([name]));
    return session;
  };
  return Object.assign(scene, { clock, watch, observe });
}

type Scene = ReturnType<typeof createScene>;

/** BIRD's states and the connection in the lab, second by second, while the neighbour received no large packets. */
const losesLargePackets = [
  [5, "up", { port: 47_825, queued: 5459, confirmed: 93, received: 2 }],
  [20, "up", { port: 47_825, queued: 5459, confirmed: 93, received: 17 }],
  [35, "up", { port: 47_825, queued: 5478, confirmed: 93, received: 7 }],
  [50, "up", { port: 47_825, queued: 5478, confirmed: 93, received: 22 }],
  [65, "up", { port: 47_825, queued: 5497, confirmed: 93, received: 14 }],
  // The line with "Received: Hold timer expired" was there for two seconds.
  [75, "Active        Socket: Connection reset by peer", null],
  [130, "up", null],
] as const;

/** The other direction: the node received keepalives out of order and could not use them. */
const sendsLargePackets = [
  [5, "up", { port: 60_125, queued: 0, confirmed: 5552, received: 5 }],
  [20, "up", { port: 60_125, queued: 0, confirmed: 5552, received: 20 }],
  [35, "up", { port: 60_125, queued: 0, confirmed: 5571, received: 35 }],
  [50, "up", { port: 60_125, queued: 0, confirmed: 5571, received: 50 }],
  [65, "up", { port: 60_125, queued: 0, confirmed: 5590, received: 66 }],
  [75, "Active        Socket: Connection closed", null],
  [130, "up", null],
] as const;

/** The session ended, and BIRD still said why. */
const showsHoldTimer = [
  [5, "up", { port: 46_199, queued: 0, confirmed: 5552, received: 5 }],
  [70, "Idle          BGP Error: Hold timer expired", null],
  [75, "Connect       BGP Error: Hold timer expired", null],
  [130, "up", null],
] as const;

/** The participant restarts its daemon. */
const restarts = [
  [5, "up", { port: 46_199, queued: 0, confirmed: 5552, received: 29 }],
  [70, "Active        Socket: Connection refused", null],
  [130, "up", null],
] as const;

type Timeline = ReadonlyArray<readonly [number, BirdState, Tcp | null]>;

/** Plays a timeline of 140 seconds this often. */
async function play(scene: Scene, timeline: Timeline, times: number): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    let last = 0;
    for (const [second, bird, tcp] of timeline) {
      await scene.clock.advance((second - last) * 1000);
      last = second;
      scene.bird = bird;
      // Each session has another port.
      scene.tcp = tcp && { ...tcp, port: tcp.port + round };
    }
    await scene.clock.advance((140 - last) * 1000);
  }
}

test.each<[string, Timeline, number]>([
  ["that ended while the neighbour confirmed nothing, although BIRD has forgotten why", losesLargePackets, 3],
  ["that ended while nothing was received, although BIRD has forgotten why", sendsLargePackets, 3],
  ["of which BIRD says it", showsHoldTimer, 3],
  ["that a participant restarts: none", restarts, 0],
])("counts the ends by the hold timer of a session %s", async (_, timeline, expected) => {
  const scene = createScene();
  await play(scene, timeline, 3);
  const flaps = (await scene.observe())?.flaps;
  expect(flaps?.holdTimerEnds ?? 0).toBe(expected);
  if (expected > 0) expect(flaps?.sinceSeconds).toBeGreaterThanOrEqual(280);
  // Ten minutes after the last end, nothing is left.
  await scene.clock.advance(600_000);
  expect(await scene.observe()).not.toHaveProperty("flaps");
});

test("an end counts once, however long BIRD shows it, and not if the session was not up before", async () => {
  const scene = createScene();
  scene.bird = "OpenSent      BGP Error: Hold timer expired";
  await scene.clock.advance(60_000);
  expect(await scene.observe()).not.toHaveProperty("flaps");
  scene.bird = "up";
  await scene.clock.advance(10_000);
  scene.bird = "Idle          BGP Error: Hold timer expired";
  await scene.clock.advance(60_000);
  expect((await scene.observe())?.flaps?.holdTimerEnds).toBe(1);
});

test.each<[string, (scene: Scene) => unknown]>([
  [
    "a requested restart causes",
    ({ watch }) => watch.restart([{ name, transport: "IPv6", channels: ["IPv6"], extendedNextHop: false }]),
  ],
  ["a deployment causes", ({ watch }) => watch.expectChanges(new Set([asn]))],
])("an end that %s is no end by the hold timer", async (_, expectEnd) => {
  const scene = createScene();
  for (const [second, bird, tcp] of losesLargePackets.slice(0, 5)) {
    await scene.clock.advance((second === 5 ? 5 : 15) * 1000);
    Object.assign(scene, { bird, tcp });
  }
  await scene.clock.advance(10_000);
  await expectEnd(scene);
  Object.assign(scene, { bird: "Active        ", tcp: null });
  await scene.clock.advance(30_000);
  expect(await scene.observe()).not.toHaveProperty("flaps");
});

test.each<[string, (scene: Scene) => void]>([
  ["BIRD that has started again", (scene) => void (scene.bird = "unavailable")],
  ["removed session", (scene) => void (scene.bird = "gone")],
])("the ends of a %s are forgotten", async (_, change) => {
  const scene = createScene();
  await play(scene, showsHoldTimer, 3);
  change(scene);
  await scene.clock.advance(5000);
  scene.bird = "up";
  expect(await scene.observe()).not.toHaveProperty("flaps");
});

test("while the neighbour confirms nothing, it is known for how long, and not what it received", async () => {
  const scene = createScene();
  const seen: unknown[] = [];
  for (const [second, bird, tcp] of losesLargePackets.slice(0, 5)) {
    Object.assign(scene, { bird, tcp });
    await scene.clock.advance(15_000);
    const session = await scene.observe();
    seen.push([second, session?.unconfirmedSeconds, session?.routes[0]?.exported]);
  }
  expect(seen).toEqual([
    [5, undefined, 1003],
    [20, undefined, null],
    [35, 30, null],
    [50, 45, null],
    [65, 60, null],
  ]);
  // Looks that fail leave the state unknown.
  scene.tcp = "unreadable";
  await scene.clock.advance(15_000);
  expect(await scene.observe()).not.toHaveProperty("unconfirmedSeconds");
});

test.each<[string, readonly number[], readonly number[], readonly number[]]>([
  ["a connection that gets further", [5000, 5000, 5000, 5000, 5000], [100, 200, 300, 400, 500], []],
  ["another connection at each look", [5000, 5000, 5000, 5000, 5000], [93, 93, 93, 93, 93], [1, 2, 3, 4, 5]],
  ["a connection with nothing to send", [0, 0, 0, 0, 0], [93, 93, 93, 93, 93], []],
  ["one keepalive on a line that loses packets", [19, 19, 19, 19, 0], [93, 93, 93, 93, 112], []],
])("all is confirmed of %s", async (_, queued, confirmed, ports) => {
  const scene = createScene();
  for (const [index, octets] of queued.entries()) {
    scene.tcp = { port: ports[index] ?? 0, queued: octets, confirmed: confirmed[index] ?? 0, received: 1 };
    await scene.clock.advance(15_000);
    expect(await scene.observe()).not.toHaveProperty("unconfirmedSeconds");
  }
});

test("the cause of an end is looked for at once", async () => {
  const scene = createScene();
  for (const [, bird, tcp] of sendsLargePackets.slice(0, 5)) {
    Object.assign(scene, { bird, tcp });
    await scene.clock.advance(15_000);
  }
  Object.assign(scene, { bird: "Active        Socket: Connection closed", tcp: null });
  await scene.clock.advance(5000);
  expect((await scene.observe())?.flaps?.holdTimerEnds).toBe(1);
});

const hour = 3600;
/** The ages that the watch knows now. */
async function agesOf(scene: Scene) {
  const { stateAgeSeconds = null, changeAgesSeconds = [] } = (await scene.observe()) ?? {};
  return [stateAgeSeconds, ...changeAgesSeconds];
}

test.each<[string, string, number | null]>([
  ["a time of today", "07:22:40.000", 6 * hour + 37 * 60 + 35],
  ["a time of yesterday", "20:00:15.000", 18 * hour],
  ["a date and a time", "2026-11-18 14:00:15", 48 * hour],
  ["a date alone", "2026-11-19", null],
  ["a format of the operator's own", "14h05", null],
])("a session that was up before the agent is so since %s", async (_, since, age) => {
  const scene = createScene();
  scene.since = since;
  await scene.clock.advance(15_000);
  expect(await agesOf(scene)).toEqual([age]);
});

test("the watch knows since when a session is up or not, and its changes", async () => {
  const scene = createScene();
  scene.bird = "Active        Socket: Connection refused";
  await scene.clock.advance(10_000);
  expect(await agesOf(scene)).toEqual([null]);
  // It came up two seconds before the look.
  Object.assign(scene, { bird: "up", since: "14:00:13.000" });
  await scene.clock.advance(5000);
  expect(await agesOf(scene)).toEqual([2, 2]);
  // Within one interval it ended and came back.
  await scene.clock.advance(45_000);
  scene.since = "14:01:03.000";
  await scene.clock.advance(5000);
  expect(await agesOf(scene)).toEqual([2, 2, 5, 52]);
  // An observation between two looks sees the end first.
  scene.bird = "Active        ";
  expect(await agesOf(scene)).toEqual([0, 0, 2, 5, 52]);
  await scene.clock.advance(5000);
  expect(await agesOf(scene)).toEqual([0, 0, 7, 10, 57]);
  // A session that flaps all day has its last 50 changes.
  for (let round = 0; round < 60; round += 1) {
    scene.bird = round % 2 === 0 ? "up" : "Active        ";
    await scene.clock.advance(5000);
  }
  expect(await agesOf(scene)).toHaveLength(51);
  scene.bird = "gone";
  await scene.clock.advance(5000);
  scene.bird = "Active        ";
  await scene.clock.advance(5000);
  expect(await agesOf(scene)).toEqual([0]);
});

test("changes are known for a day, and a time that BIRD prints as a date is none", async () => {
  const history = createSessionHistory(async () => replyOf("1011-Current server time is unknown"));
  const record = (isUp: boolean, since: string, now: number) => history.record([{ name, isUp, since }], now);
  await record(false, "10:00:00.000", 0);
  await record(true, "10:00:04.000", 5000);
  await record(true, "2026-11-20", 23 * hour * 1000);
  expect(history.agesOf(name, true, 23 * hour * 1000)).toEqual({
    stateAgeSeconds: 23 * hour - 5,
    changeAgesSeconds: [23 * hour - 5],
  });
  expect(history.agesOf(name, true, 25 * hour * 1000)).toEqual({ stateAgeSeconds: 25 * hour - 5 });
});

test("a minute costs thirteen short replies of BIRD and four runs of ss, for all sessions together", async () => {
  const scene = createScene();
  await scene.clock.advance(60_000);
  // The first look asks once more how long the sessions have been up.
  expect(scene.commands.filter((command) => command !== "show status")).toEqual(
    Array(12).fill('show protocols "dn42_*"'),
  );
  expect(scene.commands).toHaveLength(13);
  expect(scene.runs).toBe(4);
});
