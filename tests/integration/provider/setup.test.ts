/** `peerdeck setup`: the profile that it writes, from options, from answers, and from a terminal. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { runSetupCommand } from "#cli/setup/setup-command.ts";
import { InterruptedError } from "#system/terminal.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { readProfile } from "#server/config/profile-file.ts";
import { openServerIdentity } from "#server/provider-server.ts";
import { compileCache } from "../../support/compile-cache.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { plainMachine } from "./doctor.ts";
import { runUntilError, serverSource } from "./provider.ts";

const root = join(import.meta.dirname, "../../..");
const registry = join(root, "src/demo/registry");

let folder = "";
let path = "";
beforeEach(async () => {
  folder = await createScratchFolder(onTestFinished);
  path = join(folder, "config/provider.toml");
});

const environmentOf = () =>
  readEnvironment({
    PEERDECK_CONFIG: path,
    DATA_DIR: join(folder, "data"),
    PORT: "0",
    METRICS_PORT: "0",
  });

interface SetupResult {
  readonly code: number;
  readonly output: string;
  readonly prompts: readonly string[];
}

/** @param answers what the operator types, until Ctrl-C; null: there is no terminal */
async function setUp(
  args: readonly string[],
  answers: readonly string[] | null = null,
): Promise<SetupResult> {
  const prompts: string[] = [];
  const waiting = [...(answers ?? [])];
  const terminal = {
    read: async (prompt: string) => {
      prompts.push(prompt);
      const line = waiting.shift();
      if (line === undefined) throw new InterruptedError();
      return line;
    },
    [Symbol.dispose]: () => undefined,
  };
  const surroundings = { openTerminal: () => (answers === null ? null : terminal), machine: plainMachine };
  const result = await runUntilError(environmentOf(), (environment, print) =>
    runSetupCommand(args, environment, print, surroundings),
  );
  expect(waiting).toEqual([]);
  return { ...result, prompts };
}

const flags = [
  ["--name", "Example Network", "--domain", "example.net", "--asn", "AS4242422227"],
  ["--support-address", "noc@example.net", "--registry", registry],
  ["--prefix", "172.20.16.0/27", "--prefix", "fd42:d42::/48"],
  ["--mail-url", "smtp://127.0.0.1:1"],
].flat();

const writtenProfile = async () => (await readFile(path, "utf8")).replaceAll(registry, "REGISTRY");

test("options: a commented profile, the doctor's checks and the next steps", async () => {
  const { code, output, prompts } = await setUp([...flags, "--yes"], []);
  expect({ code, prompts }).toEqual({ code: 0, prompts: [] });
  await expect(await writtenProfile()).toMatchFileSnapshot("golden/setup-profile.toml");
  const { mail } = await readProfile(path, { isForServer: true });
  expect(mail).toMatchObject({ from: "Example Network <noc@example.net>", tls: "opportunistic" });
  const { mode, gid } = await stat(path);
  expect({ mode: mode & 0o777, gid }).toEqual({
    mode: process.getuid?.() === 0 ? 0o640 : 0o600,
    gid: (await stat(dirname(path))).gid,
  });
  expect(output).toMatch(new RegExp(`^Wrote ${path}\\.\n`));
  expect(output).toContain(`OK       The provider profile ${path} is valid.\n`);
  expect(output).toContain("Problem  Nothing listens on 127.0.0.1:1: start the mail server");
  expect(output).toContain(
    `\n  2. Start the server: PEERDECK_CONFIG=${path} DATA_DIR=${folder}/data peerdeck server\n`,
  );
  expect(output).toContain("Warning  There are no nodes yet. To add one: peerdeck nodes add --help\n");
  expect(output).toMatch(
    /\n {2}5\. Add the first node: peerdeck nodes add de01 --place "Frankfurt, Germany"\n$/,
  );
});

test("the identity is created in an existing data folder", async () => {
  await mkdir(join(folder, "data"), { mode: 0o700 });
  const { output } = await setUp([...flags, "--yes"]);
  const { fingerprint: own } = await openServerIdentity(join(folder, "data"));
  expect(output).toContain(`OK       The server's fingerprint, which the agents must have, is ${own}.\n`);
});

test("missing and wrong options: one sentence names them, and nothing is written", async () => {
  const { code, output } = await setUp(["--domain", "example.net"]);
  expect(code).toBe(1);
  expect(output.split("\n")[0]).toBe(
    "Missing: --name, --asn, --support-address, --registry, --mail-url, --yes, which writes the profile without a question. " +
      "Nothing was changed.",
  );
  const wrong = await setUp(["--domain", "Example", "--mail-url", "http://me:canary@x"], []);
  expect(wrong.output.split("\n\n")[0]).toBe(
    [
      '--domain: domain must be a lower-case domain such as example.net, found "Example".',
      "--mail-url: mail.url must be an smtp:// or smtps:// URL such as smtp://127.0.0.1:25 or smtps://user:password@mail.example.net, without parameters, and with special characters percent-encoded. Nothing was changed.",
    ].join("\n"),
  );
  await expect(access(path)).rejects.toThrow("ENOENT");
});

const answers = [
  ["Example Network", "example.net", "4242422227", "", "noc@example.net"],
  ["172.20.16.0/27, fd42:d42::/48", "", registry],
  ["smtp://127.0.0.1:1", "", ""],
].flat();

test("answers: the same profile", async () => {
  const { code, output, prompts } = await setUp([], [...answers, ""]);
  expect(code).toBe(0);
  await expect(await writtenProfile()).toMatchFileSnapshot("golden/setup-profile.toml");
  expect(prompts).toEqual([
    "Name: ",
    "Domain: ",
    "AS number: ",
    "Public URL [https://peering.example.net]: ",
    "Support address: ",
    "Prefixes [none]: ",
    "Trusted proxies [127.0.0.1, ::1]: ",
    "Registry: ",
    "Mail server: ",
    "Sender [Example Network <noc@example.net>]: ",
    "TLS [opportunistic]: ",
    `Write ${path}? [Y/n] `,
  ]);
  expect(output).toContain("\nThe provider's name, shown in the app and in mails.\n");
});

test("a wrong answer is explained, and only its question is repeated", async () => {
  const wrong = ["", "Example Network", "Example", "example.net", "AS0"];
  const { output, prompts } = await setUp([], wrong);
  expect(prompts).toEqual(["Name: ", "Name: ", "Domain: ", "Domain: ", "AS number: ", "AS number: "]);
  expect(output).toContain('\ndomain must be a lower-case domain such as example.net, found "Example".\n');
  expect(output).toContain('\nasn must be an AS number such as "4242422227", found "0".\n');
});

test("an interrupted setup keeps the answers, and the next one offers them", async () => {
  const first = await setUp(["--asn", "4242422227"], ["Example Network", "example.net"]);
  expect(first.code).toBe(1);
  expect(first.output).toMatch(
    new RegExp(
      `\nYour answers are in ${path}\\.draft\\. The next peerdeck setup continues with them\\.\n${path} was not written\\.\n$`,
    ),
  );
  expect((await stat(`${path}.draft`)).mode & 0o777).toBe(0o600);
  const second = await setUp(flags.slice(4), ["", "", "", "", "", "y"]);
  expect(second.code).toBe(0);
  await expect(access(`${path}.draft`)).rejects.toThrow("ENOENT");
  expect(second.prompts).toEqual([
    `Continue with the answers in ${path}.draft? [Y/n] `,
    "Public URL [https://peering.example.net]: ",
    "Trusted proxies [127.0.0.1, ::1]: ",
    "Sender [Example Network <noc@example.net>]: ",
    "TLS [opportunistic]: ",
    `Write ${path}? [Y/n] `,
  ]);
});

test("an existing profile is checked and never changed", async () => {
  await mkdir(dirname(path));
  await writeFile(path, "name = 1\n");
  const { code, output } = await setUp(flags, [""]);
  expect(code).toBe(1);
  expect(output).toContain(`${path} exists, and setup does not change it.\n`);
  expect(output).toContain(`Problem  ${path}:1: name must be a text`);
  expect(await setUp(flags, ["n"])).toMatchObject({
    code: 1,
    output: expect.not.stringContaining("Problem"),
  });
  expect(await setUp([...flags, "--yes"])).toMatchObject({
    code: 1,
    output: `${path} exists, and setup does not change it. To check the installation, run: peerdeck doctor\n`,
  });
  expect(await readFile(path, "utf8")).toBe("name = 1\n");
});

test("a folder that cannot be written", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  expect((await setUp([...flags, "--yes", "--config", join(file, "provider.toml")])).output).toBe(
    `${file}/provider.toml cannot be written (EEXIST). Run setup as root or the owner of its folder, make space on its disk, or name another file with --config.\n`,
  );
});

/** Starts the program in a shell, with these variables. */
function startInShell(command: readonly string[], variables: Readonly<Record<string, string>>) {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...compileCache, ...variables } });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = once(child, "close") as Promise<[number | null]>;
  return { child, ended, read: () => output };
}

test("with a full disk nothing is written, one sentence says so, and the doctor finds it", async () => {
  const script =
    'mount -t tmpfs -o size=64k none "$FOLDER" && mkdir -m 700 "$FOLDER/config" "$DATA_DIR" && ' +
    '{ head -c 1M /dev/zero > "$FOLDER/filler" 2>/dev/null || true; }; ' +
    '"$@"; echo "exit code $?"; ls -A "$FOLDER/config"; "$1" "$2" doctor';
  const command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"];
  const setup = [process.execPath, serverSource, "setup", "--yes", ...flags];
  const { ended, read } = startInShell([...command, ...setup], {
    FOLDER: folder,
    PEERDECK_CONFIG: path,
    DATA_DIR: join(folder, "data"),
  });
  expect((await ended)[0]).toBe(1);
  const [sentence, code, ...lines] = read().split("\n");
  expect(sentence).toBe(
    `${path} cannot be written (ENOSPC). Run setup as root or the owner of its folder, make space on its disk, or name another file with --config.`,
  );
  expect(code).toBe("exit code 1");
  expect(lines[0]).toMatch(/^OK {7}This is Peerdeck/);
  expect(lines).toContain(
    `Problem  The disk of DATA_DIR ${folder}/data has 0 MB of free space. Make space: the server needs 500 MB.`,
  );
});

test("on a terminal, Ctrl-C and the end of the input keep the answers", async () => {
  await chmod(folder, 0o700);
  const command = `${process.execPath} ${serverSource} setup`;
  for (const [end, question] of [
    ["\u0003", "Domain: "],
    ["\u0004", "Continue with the answers in"],
  ] as const) {
    const { child, ended, read } = startInShell(
      ["script", "--quiet", "--return", "--command", command, "/dev/null"],
      {
        PEERDECK_CONFIG: path,
        DATA_DIR: join(folder, "data"),
      },
    );
    const shown = async (text: string) => {
      await expect.poll(read, { timeout: 20_000 }).toContain(text);
    };
    if (question === "Domain: ") {
      await shown("Name: ");
      child.stdin.write("Example Network\r");
    }
    await shown(question);
    child.stdin.write(end);
    expect((await ended)[0]).toBe(1);
    expect(read()).toContain(`${path} was not written.`);
  }
  expect(JSON.parse(await readFile(`${path}.draft`, "utf8"))).toEqual({ name: "Example Network" });
});
