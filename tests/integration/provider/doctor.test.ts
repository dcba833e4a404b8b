/** `peerdeck doctor`: the server's own machine. */
import { chmod, mkdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { readVersion } from "#server/config/version.ts";
import { inspectDatabase } from "#server/db/storage/inspect-database.ts";
import { arrivalHeaders, proveIdentity } from "#server/features/health/arrival-route.ts";
import { listen } from "#system/listen.ts";
import { ProcessError, runProcess } from "#system/processes.ts";
import { createTestDatabase } from "../../support/databases.ts";
import { freePort } from "../../support/free-port.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { plainMachine, setUpDiagnosed } from "./doctor.ts";

const needed =
  "Warning  Registry, mail, public URL and agents were not checked, because there is no valid profile. Correct it, and run the command again.";
const stopped = (port: number) => [
  `Warning  The server has not started yet: http://127.0.0.1:${port} is free. Start it, then run the command again.`,
];

const startOther = (on: number) =>
  listen(
    createServer((_, response) => response.end("other")),
    { host: "127.0.0.1", port: on },
  );
const taken = (setting: string, on: number) =>
  `Problem  ${setting} ${on} on 127.0.0.1 is in use by a program that is not a server of this database. Stop that program, or set ${setting} to a free port.`;
const printing =
  (stdout: string, code = 0) =>
  async () => ({ code, stdout, stderr: "", isTruncated: false });
const exitWith = (code: number, stderr: string) => async () => ({
  code,
  stdout: "",
  stderr,
  isTruncated: false,
});
const sshWarning = (reason: string) => [
  `Warning  ssh-keygen does not verify SSH signatures (${reason}), so no AS can be proved with an SSH key. Install OpenSSH 8.2 or later (openssh-client).`,
];
const notInstalled = () => Promise.reject(new ProcessError("timedatectl cannot be started"));

test("profiles that are missing, invalid or open to others", async () => {
  const { diagnose, editProfile, profilePath, port } = await setUpDiagnosed(["syd01"]);
  await chmod(profilePath, 0o644);
  await editProfile('domain = "example.net"', 'domain = "Example"\nnam = "x"');
  expect(await diagnose()).toEqual([
    `Problem  ${profilePath}:2: domain must be a lower-case domain such as example.net, found "Example".`,
    `Problem  ${profilePath}:3: nam is not a known key. Did you mean name?`,
    `Warning  All users of this machine can read ${profilePath}, which may contain the mail server's password. Run: chmod o-rwx ${profilePath}`,
    needed,
    ...stopped(port),
  ]);
  await rm(profilePath);
  expect((await diagnose())[0]).toBe(
    `Problem  The provider profile ${profilePath} cannot be read (ENOENT). PEERDECK_CONFIG must name a readable TOML file.`,
  );
  expect((await diagnose({ settings: { PEERDECK_CONFIG: "" } }))[0]).toBe(
    "Problem  PEERDECK_CONFIG is not set. Write a provider profile with peerdeck setup, and set it to its path.",
  );
});

test("data folders that a server cannot use", async () => {
  const { diagnose, provider } = await setUpDiagnosed(["syd01"]);
  const { serverDir } = provider;
  const findDataLine = async (settings = {}) =>
    (await diagnose({ settings })).filter((line) => line.includes("DATA_DIR"));
  await chmod(serverDir, 0o755);
  expect(await findDataLine()).toEqual([
    `Problem  Other users may access DATA_DIR ${serverDir} (mode 755). Run: chmod 700 ${serverDir}`,
  ]);
  await chmod(serverDir, 0o1777);
  expect(await findDataLine()).toEqual([
    `Problem  DATA_DIR ${serverDir} is shared with other users. Set DATA_DIR to a folder of its own.`,
  ]);
  await chmod(serverDir, 0o700);
  const [file, missing] = [join(serverDir, "file"), join(serverDir, "missing")];
  await writeFile(file, "");
  expect(await findDataLine({ DATA_DIR: file })).toEqual([
    `Problem  DATA_DIR ${file} is not a folder. Set DATA_DIR to a folder of its own.`,
  ]);
  expect(await findDataLine({ DATA_DIR: missing })).toEqual([
    `Warning  DATA_DIR ${missing} does not exist. If the server has not started yet, it creates the folder; otherwise correct DATA_DIR.`,
  ]);
  expect((await findDataLine({ DATA_DIR: "no-such-folder" }))[0]).toBe(
    "Warning  DATA_DIR is no-such-folder, which starts at the current folder. Set DATA_DIR to the absolute path that the server uses.",
  );
  await chmod(join(serverDir, "identity/identity.pem"), 0o644);
  expect(await diagnose()).toContain(
    `Problem  ${serverDir}/identity/identity.pem contains a private key and other users may read it. Run: chmod 600 ${serverDir}/identity/identity.pem`,
  );
  await rename(join(serverDir, "identity"), join(serverDir, "away"));
  expect(await diagnose()).toContain(
    "Warning  The server has no TLS identity yet, so no agent was checked. Start the server, or run peerdeck setup, and run the command again.",
  );
});

test("databases of other versions, and one that cannot be reached; none is changed", async () => {
  const { diagnose, provider, settings } = await setUpDiagnosed(["syd01"]);
  await (await provider.startServer(settings)).stop();
  const file = join(provider.serverDir, "peerdeck.sqlite");
  const execute = (statement: string) => {
    const database = new DatabaseSync(file);
    database.exec(statement);
    database.close();
  };
  const findDatabaseLine = async (given = {}) =>
    (await diagnose({ settings: given })).filter(
      (line) => /database|PostgreSQL/.test(line) && !line.includes("server"),
    );
  execute("UPDATE installation SET kind = 'demo'");
  expect(await diagnose()).toContain(
    `Problem  The folder ${provider.serverDir} contains a demo's data, which a provider's server would use as its own. Nothing was started. Set DATA_DIR to another folder, or unset PEERDECK_CONFIG to start the demo.`,
  );
  execute("UPDATE installation SET kind = 'provider'");
  execute("DELETE FROM kysely_migration WHERE name LIKE '0005%'");
  const before = await readFile(file);
  expect((await diagnose()).filter((line) => line.includes("The database"))).toEqual([
    expect.stringMatching(
      /^Warning {2}The database \(SQLite [\d.]+\) is from an older version: the next start of the server copies it and makes 1 migration\. Make a backup first: peerdeck backup FILE$/,
    ),
  ]);
  expect(await readFile(file)).toEqual(before);
  execute("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-next', '')");
  expect(await findDatabaseLine()).toEqual([
    "Problem  The database was not changed, because a newer version of Peerdeck has migrated it (9999-next): start that version, or restore a backup that this version has made.",
  ]);
  const host = `127.0.0.1:${await freePort()}`;
  const secret = `postgres://peerdeck:canary@${host}/peerdeck`;
  expect(await findDatabaseLine({ DATABASE_URL: secret })).toEqual([
    `Problem  PostgreSQL on ${host} cannot be reached (ECONNREFUSED): start it, or correct its address in DATABASE_URL.`,
  ]);
});

test("PostgreSQL", async () => {
  await using database = await createTestDatabase();
  const publicUrl = `http://127.0.0.1:${await freePort()}`;
  const { diagnose, provider, settings } = await setUpDiagnosed(["syd01"], { publicUrl });
  const withDatabase = { ...settings, DATABASE_URL: database.url };
  expect(await diagnose({ settings: withDatabase })).toContain(
    `Warning  ${publicUrl} was not checked, because the server does not run. Start it, then run the command again.`,
  );
  await provider.startServer(withDatabase);
  const lines = await diagnose({ settings: withDatabase });
  expect(lines).toContain(
    `Problem  Nothing listens at ${publicUrl}. Start the reverse proxy, or correct the profile.`,
  );
  expect(lines.filter((line) => /PostgreSQL|database/.test(line))).toEqual([]);
});

test("ports that other programs use, and that the running server does not", async () => {
  const { diagnose, provider, settings, port } = await setUpDiagnosed(["syd01"]);
  const metricsPort = Number(settings["METRICS_PORT"]);
  const findPortLine = async () => (await diagnose()).filter((line) => /PORT|metrics/.test(line));
  {
    await using _main = await startOther(port);
    await using _metrics = await startOther(metricsPort);
    expect(await findPortLine()).toEqual([taken("PORT", port), taken("METRICS_PORT", metricsPort)]);
  }
  expect(await diagnose()).toEqual(expect.arrayContaining(stopped(port)));
  const server = await provider.startServer({ ...settings, METRICS_PORT: "0" });
  expect(await findPortLine()).toEqual([
    `Warning  The running server serves no metrics on http://127.0.0.1:${metricsPort}/metrics. Restart it with the present METRICS_HOST and METRICS_PORT.`,
  ]);
  await server.stop();
  expect(await diagnose({ settings: { HOST: "203.0.113.9" } })).toContain(
    "Problem  HOST 203.0.113.9 is not an address of this machine (EADDRNOTAVAIL): set HOST to one that it has, such as 127.0.0.1.",
  );
  expect(await diagnose({ settings: { PORT: "0" } })).toContain(
    "Warning  PORT is 0, so the server's port is not known and was not checked. Set PORT to the port of the server.",
  );
});

test("a running server of another version", async () => {
  const { diagnose, provider, settings, port } = await setUpDiagnosed(["syd01"]);
  await (await provider.startServer(settings)).stop();
  const place = { dataDir: provider.serverDir, databaseUrl: null };
  const { identity } = (await inspectDatabase(place, 1_000, async () => null)) ?? {};
  const other = createServer(({ headers }, response) => {
    const nonce = String(headers[arrivalHeaders.nonce]);
    const proof = proveIdentity(identity ?? "", "server", nonce);
    response.end(`data: ${JSON.stringify({ proof, version: "0.9.0" })}\n\n`);
  });
  await using _other = await listen(other, { host: "127.0.0.1", port });
  expect(await diagnose()).toContain(
    `Warning  The running server is version 0.9.0, and ${readVersion()} is installed. Restart the server.`,
  );
});

test("clocks and backups", async () => {
  const { diagnose, provider } = await setUpDiagnosed(["syd01"]);
  const folder = await createScratchFolder(onTestFinished);
  const findLine = async (words: RegExp, machine: Partial<typeof plainMachine>) =>
    (await diagnose({ machine: { ...plainMachine, ...machine } })).filter((line) => words.test(line));
  expect(await findLine(/NTP/, { run: printing("no\n") })).toEqual([
    "Warning  NTP does not keep the clock of this machine. Install an NTP client such as systemd-timesyncd or chrony.",
  ]);
  const unknown = [
    "Warning  Whether NTP keeps the clock is not known, because timedatectl does not say. Compare the clock with another one.",
  ];
  expect(await findLine(/NTP/, { run: notInstalled })).toEqual(unknown);
  expect(await findLine(/NTP/, { run: printing("", 1) })).toEqual(unknown);
  expect(
    await findLine(/clock/, { run: () => Promise.reject(new TypeError("a fault\n    at file:1")) }),
  ).toEqual(["Problem  The check of the clock failed (a fault). Fix the cause, and run the command again."]);
  expect(await findLine(/clock/, { run: () => new Promise(() => undefined) })).toEqual([
    "Problem  The check of the clock did not end within 5 s. Run the command again when the machine is less busy.",
  ]);

  const packaged = { backupTimer: provider.serverDir, backupFolder: folder };
  expect(await findLine(/backup/, { ...packaged, backupFolder: join(folder, "missing") })).toEqual([
    `Warning  The backups in ${folder}/missing cannot be read (ENOENT). Run the command as the server's user or root.`,
  ]);
  expect(await findLine(/backup/, packaged)).toEqual([
    `Warning  There is no backup in ${folder} yet. Make the first one: systemctl start peerdeck-backup`,
  ]);
  const file = join(folder, "peerdeck-2026-11-23.tar.gz");
  await writeFile(file, "");
  await mkdir(join(folder, ".peerdeck-2026-11-24.tar.gz.x"));
  expect(await findLine(/backup/, packaged)).toEqual([]);
  const old = Date.now() / 1000 - 50.5 * 3600;
  await utimes(file, old, old);
  expect(await findLine(/backup/, packaged)).toEqual([
    `Problem  The newest backup in ${folder} is 50 hours old. Read why: journalctl -u peerdeck-backup`,
  ]);
});

test("machines that cannot verify SSH signatures", async () => {
  const { diagnose } = await setUpDiagnosed(["syd01"]);
  const findLine = async (run: typeof plainMachine.run) =>
    (await diagnose({ machine: { ...plainMachine, run } })).filter((line) => line.includes("ssh-keygen"));
  expect(await findLine((_, ...rest) => runProcess("/nonexistent/ssh-keygen", ...rest))).toEqual(
    sshWarning("/nonexistent/ssh-keygen cannot be started: spawn /nonexistent/ssh-keygen ENOENT"),
  );
  expect(await findLine(exitWith(1, "unknown option -- Y\nusage: x\n"))).toEqual(
    sshWarning("unknown option -- Y"),
  );
  expect(await findLine(runProcess)).toEqual([]);
});

test("check-profile names each problem of a file", async () => {
  const { editProfile, profilePath, provider } = await setUpDiagnosed(["syd01"]);
  const check = () => provider.runCommand(["check-profile", profilePath]);
  expect(await check()).toEqual({ code: 0, output: `${profilePath} is valid.\n` });
  await editProfile('domain = "example.net"', 'domain = "Example"');
  expect(await check()).toEqual({
    code: 1,
    output: `${profilePath}:2: domain must be a lower-case domain such as example.net, found "Example".\n`,
  });
  expect(await provider.runCommand(["check-profile"])).toEqual(await check());
  expect(await provider.runCommand(["check-profile", profilePath, profilePath])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^One FILE is needed\. /),
  });
});

test("arguments", async () => {
  const { diagnose } = await setUpDiagnosed(["syd01"]);
  expect((await diagnose({ args: ["--mail", "noc"] }))[0]).toBe(
    "--mail: noc is not a mail address such as noc@example.net. Nothing was changed.",
  );
});

test("the nodes are those of the database, once a server has run", async () => {
  const { diagnose, provider, settings } = await setUpDiagnosed(["syd01"]);
  const none = "Warning  There are no nodes yet. To add one: peerdeck nodes add --help";
  expect(await diagnose()).not.toContain(none);
  await (await provider.startServer(settings)).stop();
  await provider.runCommand(["nodes", "remove", "syd01", "--keep", "--yes"], settings);
  expect(await diagnose()).toContain(none);
});
