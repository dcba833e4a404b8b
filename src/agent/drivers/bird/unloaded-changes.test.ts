import { rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { writeFiles } from "#system/fixtures/write-files.ts";
import type { Finding } from "#domain/findings/findings.ts";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { BirdUnavailableError } from "./control-socket.ts";
import { createUnloadedChanges, type UnloadedChangesOptions } from "./unloaded-changes.ts";

let folder: string;
let root: string;
let commands: string[];
let logged: unknown[];
/** What BIRD prints of itself, and of the syntax of its files. */
let bird: { started: string; loaded: string; now: () => string; path: string; error: string | null };

beforeEach(async () => {
  folder = await createFolder();
  root = join(folder, "bird.conf");
  commands = [];
  logged = [];
  const loaded = inMinutes(1);
  bird = { started: loaded, loaded, now: () => printTime(Date.now()), path: root, error: null };
  await write(
    "bird.conf",
    'include "local.conf";\ninclude "peerdeck/*.conf";\ninclude "peerdeck-policy.conf";',
  );
  await write("local.conf", "");
});

/** A time after all that a test has written so far. Two of different minutes are different to BIRD. */
const inMinutes = (minutes: number) => printTime(Date.now() + minutes * 60_000);
const printTime = (at: number) => new Date(at).toISOString().replace("T", " ").replace("Z", "");

const write = (name: string, text: string) => writeFiles(folder, { [name]: text });
const edit = () => write("local.conf", "protocol static {}");

function create(options: Partial<UnloadedChangesOptions> = {}) {
  return createUnloadedChanges({
    bird: async (command) => {
      commands.push(command);
      if (command === "configure check") {
        const reading = `0002-Reading configuration from ${bird.path}`;
        return replyOf(reading, bird.error === null ? "0020 Configuration OK" : `8002 ${bird.error}`);
      }
      return replyOf(
        "1000-BIRD 2.0.12",
        "1011-Router ID is 172.20.0.1",
        " Hostname is syd01",
        ` Current server time is ${bird.now()}`,
        ` Last reboot on ${bird.started}`,
        ` Last reconfiguration on ${bird.loaded}`,
        "0013 Daemon is up and running",
      );
    },
    ownFolders: [join(folder, "peerdeck")],
    mayLoad: false,
    log: pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    ...options,
  });
}

/** Returns the search of an agent that knows what BIRD has loaded. */
async function watch(options: Partial<UnloadedChangesOptions> = {}) {
  const { find } = create(options);
  expect(await find()).toBeNull();
  return find;
}

const notLoaded = (files: string[], isInvalid: boolean): Finding => ({
  code: "bird-files-not-loaded",
  facts: { files, isInvalid },
});
const waits = (...files: string[]) => notLoaded(files, false);
const checks = () => commands.filter((command) => command === "configure check");

test("what BIRD has loaded does not wait, and its syntax is checked once to find bird.conf", async () => {
  const { find } = create();
  expect([await find(), await find(), await find()]).toEqual([null, null, null]);
  expect(commands).toEqual(["show status", "configure check", "show status", "show status"]);
  expect(logged).toEqual([]);
});

test("a file that is saved waits until it is changed back or BIRD has loaded it", async () => {
  const find = await watch();
  await edit();
  expect(await find()).toEqual(waits("local.conf"));
  await write("local.conf", "");
  expect(await find()).toBeNull();
  logged.length = 0;
  await edit();
  expect(await find()).toEqual(waits("local.conf"));
  bird.loaded = inMinutes(2);
  expect([await find(), await find()]).toEqual([null, null]);
  expect(logged).toMatchObject([
    { level: 40, msg: expect.stringContaining("local.conf"), paths: [join(folder, "local.conf")] },
    { level: 30, msg: "BIRD has loaded its configuration; changes wait no longer" },
  ]);
});

test("a file that was saved after BIRD loaded and before the agent started waits", async () => {
  bird.loaded = inMinutes(-1);
  await utimes(root, 1, 1);
  expect(await create().find()).toEqual(waits("bird.conf", "local.conf"));
});

test("files that appear and vanish count as changed", async () => {
  const find = await watch();
  await rm(join(folder, "local.conf"));
  expect(await find()).toEqual(waits("local.conf"));
  await write("bird.conf", 'include "new.conf";');
  await write("new.conf", "");
  expect(await find()).toEqual(waits("bird.conf", "local.conf", "new.conf"));
});

test("the first four names are named, in order, without spaces and control characters", async () => {
  await write("bird.conf", 'include "*/*.conf";\ninclude "*.conf";');
  const find = await watch();
  for (const name of ["b.conf", "sub/b.conf", "a.conf", "c own\u0007 .conf"]) await write(name, "");
  expect(await find()).toEqual(waits("a.conf", "b.conf", "c_own__.conf"));
  for (const name of ["e.conf", "d.conf"]) await write(name, "");
  expect(await find()).toEqual(waits("a.conf", "b.conf", "c_own__.conf", "d.conf"));
});

test("the agent's own files and what they include do not count, but files beside its folder do", async () => {
  await write("bird.conf", 'include "peerdeck/*.conf";\ninclude "peerdeck-site.conf";');
  const find = await watch();
  await write("peerdeck/peer.conf", 'include "../hidden.conf";');
  await write("hidden.conf", "");
  expect(await find()).toBeNull();
  await write("peerdeck-site.conf", "");
  expect(await find()).toEqual(waits("peerdeck-site.conf"));
});

test("the package's policy file is loaded with the next change, but not if BIRD cannot parse it or with other changed files", async () => {
  const find = await watch();
  await write("peerdeck-policy.conf", "function");
  expect(await find()).toBeNull();
  bird.error = "peerdeck-policy.conf:1:9 syntax error";
  await write("peerdeck-policy.conf", "function ");
  expect(await find()).toEqual(notLoaded(["peerdeck-policy.conf"], true));
  bird.error = null;
  await edit();
  expect(await find()).toEqual(waits("local.conf", "peerdeck-policy.conf"));
});

test("an agent that may load the operator's changes waits only while BIRD cannot parse them", async () => {
  const find = await watch({ mayLoad: true });
  await write("local.conf", "protocol sta");
  expect(await find()).toBeNull();
  bird.error = "local.conf:1:12 syntax error";
  expect(await find()).toEqual(notLoaded(["local.conf"], true));
  expect(logged).toMatchObject([
    { level: 40, paths: [join(folder, "local.conf")], error: expect.stringContaining("1:12") },
  ]);
});

test("BIRD prints times that vary by a millisecond, and the files are compared with the same ones", async () => {
  const find = await watch();
  await edit();
  const at = Date.parse(`${bird.loaded.replace(" ", "T")}Z`);
  bird.loaded = printTime(at + 9);
  bird.started = printTime(at - 9);
  expect(await find()).toEqual(waits("local.conf"));
  expect(checks()).toHaveLength(2);
  // 10 ms later BIRD has loaded again.
  bird.loaded = printTime(at + 10);
  expect(await find()).toBeNull();
});

test("a BIRD that was started with another file is asked for it", async () => {
  await write("other.conf", "");
  const find = await watch();
  bird.path = join(folder, "other.conf");
  bird.started = inMinutes(2);
  bird.loaded = bird.started;
  expect(await find()).toBeNull();
  await write("bird.conf", "changed");
  expect(await find()).toBeNull();
  await write("other.conf", "changed");
  expect(await find()).toEqual(waits("other.conf"));
});

test.each([
  ["is two hours ahead of the agent's", 2 * 60, printTime],
  ["is half an hour behind", -30, printTime],
  ["is printed without a fraction", 0, (at: number) => printTime(at).replace(/\.\d+$/, "")],
])("BIRD's time %s", async (_, minutes, print) => {
  const shifted = (at: number) => print(at + minutes * 60_000);
  bird.now = () => shifted(Date.now());
  bird.loaded = shifted(Date.now() + 60_000);
  bird.started = bird.loaded;
  expect(await create().find()).toBeNull();
  bird.loaded = shifted(Date.now() - 60_000);
  expect(await create().find()).toEqual(waits("bird.conf", "local.conf"));
});

const otherTimes = [
  "10:02:11",
  "2026-11-24",
  "24.11.2026 10:02:11",
  "2026-11-24 10:02:11 UTC",
  "at 2026-11-24 10:02:11",
];

test.each(otherTimes)("with times like %s, files count as loaded when the agent starts", async (time) => {
  bird = { ...bird, started: time, loaded: time, now: () => time };
  const { find } = create();
  expect(await find()).toBeNull();
  await edit();
  expect(await find()).toEqual(waits("local.conf"));
  bird.loaded = `${time}0`;
  expect(await find()).toBeNull();
});

test("a BIRD that was started with a relative path is not watched", async () => {
  bird.path = "bird.conf";
  bird.loaded = inMinutes(-1);
  const { find } = create();
  expect([await find(), await find()]).toEqual([null, null]);
  expect(checks()).toHaveLength(1);
});

test("a BIRD that does not say its status makes the search fail", async () => {
  const { find } = create({ bird: async () => replyOf("9001 syntax error") });
  await expect(find()).rejects.toThrow(BirdUnavailableError);
});
