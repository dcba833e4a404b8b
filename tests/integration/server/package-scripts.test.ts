/** The scripts of the server's Debian package, below a folder of their own. */
import { execFile } from "node:child_process";
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { repository } from "../../support/repository.ts";

const execute = promisify(execFile);
let root = "";
const at = (path: string) => join(root, path);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "peerdeck-scripts-"));
  await mkdir(at("bin"));
  // Of the machine that runs the tests, nothing is changed.
  for (const name of ["systemctl", "deb-systemd-helper"]) await writeProgram(`bin/${name}`, "");
});
afterEach(() => rm(root, { recursive: true }));

async function writeProgram(path: string, text: string): Promise<void> {
  await writeFile(at(path), `#!/bin/sh\n${text}\n`);
  await chmod(at(path), 0o755);
}

/** Copies a script of the package, with paths below the folder. */
async function copyScript(path: string): Promise<string> {
  const text = await readFile(join(repository, "src/server/package", path), "utf8");
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text.replaceAll(/\/(?=(?:etc|var|usr)\/)/g, `${root}/`));
  await chmod(at(path), 0o755);
  return at(path);
}

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script. What it prints has paths as on a machine. */
async function run(
  script: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const env = { PATH: `${at("bin")}${delimiter}${process.env["PATH"]}`, ...environment };
  const cleaned = (text: string) => text.replaceAll(root, "");
  return execute(script, args, { env, cwd: root }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout: cleaned(stdout), stderr: cleaned(stderr) }),
    ({ code, stdout, stderr }: Result) => ({ code, stdout: cleaned(stdout), stderr: cleaned(stderr) }),
  );
}

const serviceUser = "990";

/** Runs `peerdeck` as a user, with a program that prints its user, folder, arguments and variables. */
async function runPeerdeck(
  user: "root" | "service" | "other",
  args: readonly string[],
  { settings, environment = {} }: { settings?: string; environment?: Readonly<Record<string, string>> } = {},
): Promise<Result> {
  await copyScript("usr/lib/peerdeck-server/environment");
  await writeProgram(
    "usr/lib/peerdeck-server/node",
    `printf '%s\\n' "user $TEST_USER" "in $PWD" "$@"; env | grep -E '^(A|B|C|HOME|USER|DATA_DIR|PEERDECK_CONFIG)=' | sort`,
  );
  if (settings !== undefined) {
    await mkdir(at("etc/peerdeck-server"), { recursive: true });
    await writeFile(at("etc/peerdeck-server/environment"), settings);
  }
  await writeProgram("bin/id", `[ "$2" = peerdeck-server ] && echo ${serviceUser} || echo $TEST_USER`);
  await writeProgram(
    "bin/setpriv",
    `[ "$1 $2 $3" = "--reuid=peerdeck-server --regid=peerdeck-server --init-groups" ] || exit 9
shift 3
TEST_USER=${serviceUser} exec "$@"`,
  );
  const script = await copyScript("usr/bin/peerdeck");
  const TEST_USER = { root: "0", service: serviceUser, other: "1000" }[user];
  return run(script, args, { HOME: "/root", USER: "caller", TEST_USER, ...environment });
}

/** The arguments of Node.js. */
const program = ["--use-system-ca", "/usr/lib/peerdeck-server/build/programs/peerdeck.mjs"] as const;

test("root's commands run as the service's user, with its settings and in the same folder", async () => {
  const args = ["remove-peering", "--reason", "a  b 'c' \"d\" $HOME *", "", "-"];
  const { stdout, code } = await runPeerdeck("root", args, {
    settings: "# A=no\n\n  A=one $HOME `id` $(id) ; & #\nB=x=y",
  });
  expect(stdout.split("\n")).toEqual([
    `user ${serviceUser}`,
    "in ",
    ...program,
    ...args,
    "A=one $HOME `id` $(id) ; & #",
    "B=x=y",
    "DATA_DIR=/var/lib/peerdeck",
    "HOME=/var/lib/peerdeck",
    "PEERDECK_CONFIG=/etc/peerdeck-server/provider.toml",
    "USER=peerdeck-server",
    "",
  ]);
  expect(code).toBe(0);
});

test("variables of the caller have precedence, then the operator's settings, then the package's", async () => {
  const { stdout } = await runPeerdeck("service", ["restore"], {
    settings: "A=setting\nB=setting\nDATA_DIR=/srv/peerdeck\n",
    environment: { A: "caller" },
  });
  expect(stdout).toMatch(/^A=caller\nB=setting\nDATA_DIR=\/srv\/peerdeck$/m);
  const { stdout: withoutFile } = await runPeerdeck("service", ["restore"], { settings: "" });
  expect(withoutFile).toMatch(/^DATA_DIR=\/var\/lib\/peerdeck$/m);
});

test.each([
  [`A="two words "`, "two words "],
  ["A='sharp # and $'", "sharp # and $"],
  ["A=  blanks \t", "blanks"],
  ["A=", ""],
  ["A=ü", "ü"],
])("the command reads %j as systemd does", async (line, value) => {
  const { stdout, stderr } = await runPeerdeck("service", ["peerings"], { settings: `${line}\n` });
  expect(/^A=(.*)$/m.exec(stdout)?.[1]).toBe(value);
  expect(stderr).toBe("");
});

test.each([
  ["no assignment", "is not NAME=value. Correct or delete it."],
  ["A-B=x", "does not begin with the name of a variable. Correct or delete it."],
  ["1A=x", "does not begin with the name of a variable. Correct or delete it."],
  ["=x", "does not begin with the name of a variable. Correct or delete it."],
  ["A=x\\", "has a backslash or a control character. Write it without."],
  ["# x\\", "has a backslash or a control character. Write it without."],
  ["A=x\r", "has a backslash or a control character. Write it without."],
  [`A="x`, "has quotes inside of its value. Write it without."],
  [`A="x" 'y'`, "has quotes inside of its value. Write it without."],
])("refuses the line %j, which systemd may read differently", async (line, problem) => {
  const { code, stdout, stderr } = await runPeerdeck("service", ["peerings"], { settings: `B=1\n${line}\n` });
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: "",
    stderr: `/etc/peerdeck-server/environment, line 2 ${problem}\n`,
  });
});

test.each([[[]], [["demo"]], [["--version"]], [["backup", "--help"]], [["accounts", "-h"]]])(
  "every user runs %j, without settings and data of the service",
  async (args) => {
    for (const user of ["other", "root"] as const) {
      const { stdout } = await runPeerdeck(user, args, { settings: "broken" });
      expect(stdout.split("\n")).toEqual([
        `user ${user === "root" ? "0" : "1000"}`,
        "in ",
        ...program,
        ...args,
        "HOME=/root",
        "USER=caller",
        "",
      ]);
    }
  },
);

test("another user reads how to run a command", async () => {
  expect(await runPeerdeck("other", ["backup", "x -h y"])).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "peerdeck backup uses the settings and the data of the service. Run it as root: sudo peerdeck backup\n",
  });
});

test("the setup, which writes the profile, runs as root with the settings", async () => {
  const { stdout } = await runPeerdeck("root", ["setup"], { settings: "A=x" });
  expect(stdout).toMatch(/^user 0\n[^]*\nA=x\nDATA_DIR=/);
});

const backups = "var/backups/peerdeck";

async function runBackup(command: string): Promise<readonly string[]> {
  await writeProgram("bin/peerdeck", command);
  await run(await copyScript("usr/lib/peerdeck-server/backup"));
  return (await readdir(at(backups))).toSorted();
}

test("a backup is written beside the newest 13, and a failed one deletes none", async () => {
  const old = Array.from({ length: 20 }, (_, day) => `peerdeck-2025-03-${10 + day}T00-00-01Z.tar.gz`);
  await mkdir(at(backups), { recursive: true });
  for (const name of [...old, "peerdeck-mine.tar.gz"]) await writeFile(at(`${backups}/${name}`), name);
  expect(await runBackup("exit 1")).toEqual([...old, "peerdeck-mine.tar.gz"]);

  const kept = await runBackup('[ "$1" = backup ] && echo new > "$2"');
  expect(kept).toHaveLength(15);
  expect(kept.slice(0, 13)).toEqual(old.slice(-13));
  expect(kept[13]).toMatch(/^peerdeck-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz$/);
  expect(kept[14]).toBe("peerdeck-mine.tar.gz");
});

test("a backup deletes what a killed one has left a day ago", async () => {
  for (const name of [".peerdeck-old.tar.gz.x", ".peerdeck-running.tar.gz.x"])
    await mkdir(at(`${backups}/${name}`), { recursive: true });
  await execute("touch", ["--date=2 days ago", at(`${backups}/.peerdeck-old.tar.gz.x`)]);
  expect(await runBackup("exit 1")).toEqual([".peerdeck-running.tar.gz.x"]);
});

const data = ["etc/peerdeck-server/environment", "var/lib/peerdeck/peerdeck.sqlite", `${backups}/one.tar.gz`];
const agentFile = "etc/peerdeck/agent.toml";

/** Purges the package, with debconf's answer if it is installed. Returns what the script printed. */
async function purge(answer: boolean | null): Promise<string> {
  if (answer !== null) {
    await mkdir(at("usr/share/debconf"), { recursive: true });
    const commands = 'for name in version input go purge; do eval "db_$name() { :; }"; done';
    await writeFile(at("usr/share/debconf/confmodule"), `${commands}\ndb_get() { RET=${String(answer)}; }\n`);
  }
  const script = await copyScript("DEBIAN/postrm");
  expect(await run(script, ["remove"])).toEqual({ code: 0, stdout: "", stderr: "" });
  const { code, stdout, stderr } = await run(script, ["purge"]);
  expect(code).toBe(0);
  return stdout + stderr;
}

async function writeFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), path);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(at(path)).then(
    () => true,
    () => false,
  );
}

test.each([false, null])("a purge that may not delete the data (%j) keeps it all", async (answer) => {
  await writeFiles([...data, agentFile]);
  expect(await purge(answer)).toBe(
    "Kept the server's data in /var/lib/peerdeck and its backups in /var/backups/peerdeck.\n" +
      "The configuration is in /var/lib/peerdeck/configuration.\n",
  );
  for (const path of [...data.slice(1), agentFile]) expect(await readFile(at(path), "utf8")).toBe(path);
  expect(await exists("etc/peerdeck-server")).toBe(false);
  // The next one keeps the configuration of the one before.
  await writeFiles(["etc/peerdeck-server/provider.toml"]);
  await purge(answer);
  expect((await readdir(at("var/lib/peerdeck"))).toSorted()).toEqual([
    "configuration",
    "configuration.~1~",
    "peerdeck.sqlite",
  ]);
  expect(await readdir(at("var/lib/peerdeck/configuration"))).toEqual(["provider.toml"]);
});

test.each([
  ["confirmed", true, data],
  ["not asked, because there is no data", null, data.slice(0, 1)],
])("a purge deletes everything of the server, and nothing of the agent (%s)", async (_, answer, files) => {
  await writeFiles([...files, agentFile]);
  await mkdir(at("var/lib/peerdeck"), { recursive: true });
  expect(await purge(answer)).toBe("");
  for (const path of ["etc/peerdeck-server", "var/lib/peerdeck", backups])
    expect(await exists(path)).toBe(false);
  expect(await exists(agentFile)).toBe(true);
});
