/**
 * A private PostgreSQL cluster that lives as long as the process that started it.
 *
 * Invariants: the cluster listens on 127.0.0.1 only and requires a random password. Its files are in a separate directory.
 * On Linux the kernel interrupts the server when its parent dies, so that even a killed test run leaves no server.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { scratchFolder } from "./scratch-folder.ts";

export interface PostgresCluster extends AsyncDisposable {
  /** URL of the `postgres` database, with a superuser's rights. */
  readonly adminUrl: string;
  /** Stops the server and closes its connections. Committed data is kept. */
  stop(): Promise<void>;
  /** Ends the server without a shutdown: `SIGQUIT` is PostgreSQL's immediate one, `SIGKILL` that of a crash. */
  crash(signal: "SIGQUIT" | "SIGKILL"): Promise<void>;
  /** Starts the server on the same port after `stop` or `crash`. */
  restart(): Promise<void>;
}

export interface ClusterOptions {
  /** Settings of the server, over those of tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A running cluster. The new one is then its streaming replica. */
  readonly primary?: PostgresCluster;
}

/** Starts a cluster; resolves once it accepts connections. */
export async function startPostgresCluster({
  settings,
  primary,
}: ClusterOptions = {}): Promise<PostgresCluster> {
  const binaries = await newestBinaries();
  const owner = await unprivilegedOwner();
  const directory = await mkdtemp(path.join(scratchFolder(), "peerdeck-pg-"));
  const removeFiles = () => rm(directory, { recursive: true, force: true });
  try {
    const data = path.join(directory, "data");
    const passwordFile = path.join(directory, "password");
    const password = primary ? new URL(primary.adminUrl).password : randomBytes(18).toString("base64url");
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (owner) {
      await chown(directory, owner.uid, owner.gid);
      await chown(passwordFile, owner.uid, owner.gid);
    }
    if (primary) await copyPrimary(path.join(binaries, "pg_basebackup"), data, primary, owner);
    else await initialise(path.join(binaries, "initdb"), data, passwordFile, owner);
    const port = await freePort();
    const run = () => startServer(path.join(binaries, "postgres"), { data, port, settings }, owner);
    let server = await run();
    return {
      adminUrl: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      stop: () => stopServer(server),
      crash: async (signal) => {
        const exited = once(server, "exit");
        server.kill(signal);
        await exited;
      },
      restart: async () => {
        server = await retryWhileInUse(run);
      },
      [Symbol.asyncDispose]: async () => {
        await stopServer(server);
        await removeFiles();
      },
    };
  } catch (error) {
    await removeFiles();
    throw error;
  }
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const installations = "/usr/lib/postgresql";

async function newestBinaries(): Promise<string> {
  const versions = await readdir(installations).catch(() => []);
  const newest = versions.toSorted((a, b) => Number(b) - Number(a)).at(0);
  if (newest === undefined) {
    throw new Error(`No PostgreSQL in ${installations}. Install Debian's package postgresql.`);
  }
  return path.join(installations, newest, "bin");
}

/** Debian's unprivileged users that can run the server, in order of preference. */
const unprivilegedUsers = ["postgres", "nobody"];

/** PostgreSQL refuses to run as root. Returns null if the process is not root and can run it. */
async function unprivilegedOwner(): Promise<Owner | null> {
  if (process.getuid?.() !== 0) return null;
  const accounts = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const user of unprivilegedUsers) {
    const account = accounts.find(([name]) => name === user);
    if (account) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new Error(
    `PostgreSQL cannot run as root, and none of these users exists: ${unprivilegedUsers.join(", ")}.`,
  );
}

/** Runs a program as the owner, which stops when this process dies. `setpriv` replaces itself by the program. */
function start(program: string, args: readonly string[], owner: Owner | null): ChildProcess {
  const options = { cwd: "/", env: { PATH: "/usr/bin:/bin", LC_ALL: "C" } };
  if (process.platform !== "linux") return spawn(program, args, options);
  const identity = owner ? [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"] : [];
  return spawn("setpriv", [...identity, "--pdeathsig=INT", "--", program, ...args], options);
}

async function initialise(
  program: string,
  data: string,
  passwordFile: string,
  owner: Owner | null,
): Promise<void> {
  const initdb = start(
    program,
    [
      `--pgdata=${data}`,
      "--username=postgres",
      `--pwfile=${passwordFile}`,
      // Tests open thousands of connections, and SCRAM makes each of them expensive on purpose.
      "--auth=md5",
      "--encoding=UTF8",
      "--no-locale",
      "--no-sync",
    ],
    owner,
  );
  await waitForSuccess(initdb, "initdb");
}

/** Copies a running primary with the settings of a streaming replica (`standby.signal`, `primary_conninfo`). */
async function copyPrimary(
  program: string,
  data: string,
  primary: PostgresCluster,
  owner: Owner | null,
): Promise<void> {
  const args = [
    `--pgdata=${data}`,
    `--dbname=${primary.adminUrl}`,
    "--write-recovery-conf",
    "--checkpoint=fast",
    "--no-sync",
  ];
  await waitForSuccess(start(program, args, owner), "pg_basebackup");
}

async function waitForSuccess(child: ChildProcess, name: string): Promise<void> {
  child.stdout?.resume();
  const output = collect(child);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${output()}`);
}

/** After a crash, the processes of open connections use the shared memory until they notice it. */
async function retryWhileInUse(run: () => Promise<ChildProcess>): Promise<ChildProcess> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!/still in use|already exists/.test(String(error)) || performance.now() > deadline) throw error;
      await pause(50);
    }
  }
}

interface ServerSettings {
  readonly data: string;
  readonly port: number;
  readonly settings: ClusterOptions["settings"];
}

async function startServer(
  program: string,
  { data, port, settings: given }: ServerSettings,
  owner: Owner | null,
): Promise<ChildProcess> {
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    // The data need not survive a crash.
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    max_connections: "200",
    ...given,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = start(program, ["-D", data, ...args], owner);
  server.stdout?.resume();
  const output = collect(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", (code) =>
      reject(new Error(`postgres ended with ${code} while starting:\n${output()}`)),
    );
    server.stderr?.on("data", () => {
      if (/ready to accept (?:read-only )?connections/.test(output())) resolve();
    });
  });
  return server;
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  // A fast shutdown closes open connections without waiting.
  server.kill("SIGINT");
  const killTimer = setTimeout(() => server.kill("SIGKILL"), 10_000);
  await exited;
  clearTimeout(killTimer);
}

/** Returns a function that returns the last output of the process on standard error. */
function collect(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.setEncoding("utf8");
  child.stderr?.on("data", (chunk: string) => {
    text = (text + chunk).slice(-10_000);
  });
  return () => text;
}
