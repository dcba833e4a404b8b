import { expect, test } from "vitest";
import type { Finding } from "#domain/findings/findings.ts";
import { createManualClock } from "../../fixtures/manual-clock.ts";
import { processResult } from "../../fixtures/process-result.ts";
import { ProcessError, type ProcessResult, type Run } from "#system/processes.ts";
import { createWireguardReader } from "./read-interfaces.ts";

const minuteMs = 60_000;
const [key, peerKey] = ["A", "B"].map((letter) => `${letter.repeat(43)}=`);

/** Interfaces with one peer, as `wg show` prints them: with their names unless it prints one. */
const dump = (ports: Readonly<Record<string, number>>, isNamed = true) =>
  processResult(
    Object.entries(ports)
      .flatMap(([name, port]) => [
        [name, key, peerKey, port, "off"],
        [name, peerKey, "(none)", "198.51.100.1:51820", "0.0.0.0/0,::/0", 1_763_680_000, 92, 148, 25],
      ])
      .map((fields) => `${fields.slice(isNamed ? 0 : 1).join("\t")}\n`)
      .join(""),
  );
const one = (port: number) => dump({ "": port }, false);
const parsed = (listenPort: number) => ({
  privateKey: key,
  listenPort,
  peers: [
    {
      publicKey: peerKey,
      presharedKey: null,
      endpoint: "198.51.100.1:51820",
      allowedIps: ["0.0.0.0/0", "::/0"],
      latestHandshake: 1_763_680_000,
      rxBytes: 92,
      txBytes: 148,
      keepalive: 25,
    },
  ],
});

const noDevice = processResult("", 1, "Unable to access interface: No such device\n");
const noKernelSupport = processResult("", 1, "Unable to access interface: Protocol not supported\n");
const denied = processResult("", 1, "Unable to access interface: Operation not permitted\n");
/** A process that was killed because it took too long. */
const hangs = new ProcessError("wg took longer than 3000 ms");
const missing = new ProcessError("Cannot start wg: ENOENT", { cause: new Error("ENOENT") });

type Reply = ProcessResult | Error;

/** A reader of interfaces that print this, by name. */
function createReader(replies: Readonly<Record<string, Reply>>) {
  const current = new Map(Object.entries(replies));
  const commands: string[] = [];
  let running = 0;
  let mostRunning = 0;
  const clock = createManualClock();
  const run: Run = async (program, args, { timeoutMs } = {}) => {
    commands.push([program, ...args, timeoutMs].join(" "));
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    await new Promise(setImmediate);
    running -= 1;
    const reply = current.get(args[1] ?? "") ?? noDevice;
    if (reply instanceof Error) throw reply;
    return reply;
  };
  return {
    reader: createWireguardReader(run, clock),
    clock,
    reply: (name: string, reply: Reply) => current.set(name, reply),
    mostRunning: () => mostRunning,
    /** The commands since the last call. */
    commands: () => commands.splice(0),
  };
}

const hangFinding: Finding = { code: "wireguard-hangs", facts: {} };

test("one process reads all interfaces, and the wanted ones are returned", async () => {
  const { reader, commands } = createReader({
    all: dump({ dn42_1: 20_001, dn42_2: 20_002, "wg-home": 51_820 }),
  });
  const wanted = ["dn42_1", "wg-home", "dn42_9"];
  const expected = new Map([
    ["dn42_1", parsed(20_001)],
    ["wg-home", parsed(51_820)],
  ]);
  expect(await reader.read(wanted)).toEqual(expected);
  expect(await reader.readForeign(wanted)).toEqual(expected);
  expect(commands()).toEqual(["wg show all dump 3000", "wg show all dump 3000"]);
  expect(reader.finding()).toBeNull();
});

test("where wg can read none of all, each is read, and those that do not exist are left out", async () => {
  const { reader, commands } = createReader({ all: denied, dn42_1: one(20_001), dn42_3: noKernelSupport });
  const found = await reader.read(["dn42_1", "dn42_2", "dn42_3", "dn42_1"]);
  expect(found).toEqual(new Map([["dn42_1", parsed(20_001)]]));
  expect(commands()).toEqual([
    "wg show all dump 3000",
    ...["dn42_1", "dn42_2", "dn42_3"].map((name) => `wg show ${name} dump 3000`),
  ]);
  expect(reader.finding()).toBeNull();
  await reader.read([]);
  expect(commands()).toEqual(["wg show all dump 3000"]);
});

const leftOut = (name: string) =>
  processResult(
    dump({ dn42_1: 20_001 }).stdout,
    0,
    `Unable to access interface ${name}: Connection refused\n`,
  );

test("an interface that wg leaves out of all of them, because it cannot read it, is not taken for one that is missing", async () => {
  const owned = createReader({ all: leftOut("dn42_2"), dn42_2: denied });
  await expect(owned.reader.read(["dn42_1", "dn42_2"])).rejects.toThrow("Operation not permitted");
  const foreign = createReader({ all: leftOut("wg-home") });
  expect(await foreign.reader.read(["dn42_1", "dn42_2"])).toEqual(new Map([["dn42_1", parsed(20_001)]]));
  expect(foreign.commands()).toEqual(["wg show all dump 3000"]);
});

test("a participant's interface that cannot be read is an error, another program's is left out", async () => {
  const { reader } = createReader({ all: denied, dn42_1: one(20_001), dn42_2: denied, "wg-home": hangs });
  await expect(reader.read(["dn42_1", "dn42_2"])).rejects.toThrow(
    new ProcessError("Unable to access interface: Operation not permitted"),
  );
  expect(await reader.readForeign(["dn42_1", "dn42_2", "wg-home"])).toEqual(
    new Map([["dn42_1", parsed(20_001)]]),
  );
  const faulty = createReader({ all: denied, dn42_1: new TypeError("a fault") });
  await expect(faulty.reader.readForeign(["dn42_1"])).rejects.toThrow("a fault");
});

test.each([
  ["a missing program", missing],
  ["a fault of the agent", new TypeError("a fault")],
])("%s is no interface that hangs", async (_, error) => {
  const { reader, commands } = createReader({ all: error, dn42_1: one(20_001) });
  await expect(reader.read(["dn42_1"])).rejects.toThrow(error);
  expect(commands()).toEqual(["wg show all dump 3000"]);
  expect(reader.finding()).toBeNull();
});

test("after wg has hung at all interfaces, each is read for five minutes, and then all again", async () => {
  const { reader, clock, reply, commands } = createReader({ all: hangs, dn42_1: one(20_001) });
  const found = new Map([["dn42_1", parsed(20_001)]]);
  expect(await reader.read(["dn42_1"])).toEqual(found);
  expect(reader.finding()).toEqual(hangFinding);
  expect(commands()).toEqual(["wg show all dump 3000", "wg show dn42_1 dump 3000"]);

  await clock.advance(5 * minuteMs - 1);
  expect(await reader.read(["dn42_1"])).toEqual(found);
  expect(commands()).toEqual(["wg show dn42_1 dump 3000"]);

  await clock.advance(1);
  await reader.read(["dn42_1"]);
  expect(commands()).toEqual(["wg show all dump 3000", "wg show dn42_1 dump 3000"]);
  expect(reader.finding()).toEqual(hangFinding);

  reply("all", dump({ dn42_1: 20_001 }));
  await clock.advance(5 * minuteMs);
  expect(await reader.read(["dn42_1"])).toEqual(found);
  expect(commands()).toEqual(["wg show all dump 3000"]);
  expect(reader.finding()).toBeNull();
});

test("the finding ends when wg fails without hanging", async () => {
  const { reader, clock, reply } = createReader({ all: hangs });
  await reader.read([]);
  reply("all", denied);
  await clock.advance(5 * minuteMs);
  await reader.read([]);
  expect(reader.finding()).toBeNull();
});

test("if a participant's interface hangs as well, there is an error and no finding of other programs", async () => {
  const { reader } = createReader({ all: hangs, dn42_1: hangs });
  await expect(reader.read(["dn42_1"])).rejects.toThrow(hangs);
  expect(reader.finding()).toBeNull();
});

test("at most eight interfaces are read at the same time", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `dn42_${index}`);
  const interfaces = Object.fromEntries(names.map((name, index) => [name, one(20_000 + index)]));
  const { reader, mostRunning } = createReader({ all: denied, ...interfaces });
  expect(Array.from(await reader.read(names), ([name, { listenPort }]) => [name, listenPort])).toEqual(
    names.map((name, index) => [name, 20_000 + index]),
  );
  expect(mostRunning()).toBe(8);
});
