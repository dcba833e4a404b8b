/**
 * Runs the doctor's checks side by side, each with its own time limit.
 *
 * Invariant: nothing is changed, so that they can run at any time beside a running server.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findIdentity, IdentityError, type TlsIdentity } from "#mtls/tls-identity.ts";
import type { Environment } from "#server/config/environment.ts";
import { readVersion } from "#server/config/version.ts";
import { runAsOwner } from "#system/run-as-owner.ts";
import { checkAgents } from "./checks/check-agents.ts";
import { checkBackups } from "./checks/check-backups.ts";
import { checkClock } from "./checks/check-clock.ts";
import { checkDataFolder } from "./checks/check-data-folder.ts";
import { checkDatabase } from "./checks/check-database.ts";
import { checkMail } from "./checks/check-mail.ts";
import { checkProfileFile } from "./checks/check-profile-file.ts";
import { checkPublicUrl } from "./checks/check-public-url.ts";
import { checkRegistry } from "./checks/check-registry.ts";
import { checkServer, findRunningServer } from "./checks/check-server.ts";
import { checkSsh } from "./checks/check-ssh.ts";
import { type Check, checkLimitMs, type DoctorContext, type Machine } from "./doctor-context.ts";
import { finding, type Finding } from "./sentences/sentences.ts";

export interface DoctorOptions {
  readonly environment: Environment;
  readonly machine: Machine;
  /** Receives a test message; null: no mail is sent. */
  readonly testRecipient: string | null;
}

/** In the order of the output. */
const checks: readonly Check[] = [
  checkDataFolder,
  {
    name: "the database",
    run: async ({ readDatabase }) => (await readDatabase()).findings,
  },
  checkServer,
  checkPublicUrl,
  checkRegistry,
  checkSsh,
  checkMail,
  checkAgents,
  checkClock,
  checkBackups,
];

/** Runs all checks, as the owner of DATA_DIR if this process is root, and returns what they found. */
export async function runChecks(options: DoctorOptions): Promise<readonly Finding[]> {
  const { dataDir } = options.environment;
  const run = () => runChecksAsUser(options);
  return existsSync(dataDir) ? runAsOwner(dataDir, run) : run();
}

async function runChecksAsUser({
  environment,
  machine,
  testRecipient,
}: DoctorOptions): Promise<readonly Finding[]> {
  const version = finding("version", { version: readVersion(), node: process.versions.node });
  const { profile, findings: ofProfile } = await checkProfileFile(environment.configPath);
  const { identity, findings: ofIdentity } = await readIdentity(environment.dataDir);
  const readDatabase = once(() => checkDatabase(environment));
  const readDatabaseIdentity = () =>
    readDatabase().then(
      (database) => database.identity,
      () => null,
    );
  const context: DoctorContext = {
    environment,
    machine,
    profile,
    identity,
    readDatabase,
    readDatabaseIdentity,
    findServer: once(async () => findRunningServer(environment, await readDatabaseIdentity())),
    testRecipient,
  };
  const found = await Promise.all(checks.map((check) => runInTime(check, context)));
  return [version, ...ofProfile, ...ofIdentity, ...found.flat()];
}

async function readIdentity(
  dataDir: string,
): Promise<{ readonly identity: TlsIdentity | null; readonly findings: readonly Finding[] }> {
  try {
    const identity = await findIdentity(join(dataDir, "identity"));
    return {
      identity,
      findings: identity ? [finding("identity-ok", { fingerprint: identity.fingerprint })] : [],
    };
  } catch (error) {
    const text =
      error instanceof IdentityError
        ? error.message
        : `The server's TLS identity cannot be read (${(error as Error).message}). Run the command as the server's user or root.`;
    return { identity: null, findings: [finding("identity-problem", { text })] };
  }
}

async function runInTime(check: Check, context: DoctorContext): Promise<readonly Finding[]> {
  const ms = check.limitMs?.(context) ?? checkLimitMs;
  const ended = new AbortController();
  const late = pause(ms, null, { signal: ended.signal }).catch(() => null);
  try {
    const found = await Promise.race([check.run(context), late]);
    return found ?? [finding("check-timeout", { check: check.name, seconds: ms / 1000 })];
  } catch (error) {
    const [reason = ""] = (error as Error).message.split("\n");
    return [finding("check-failed", { check: check.name, reason })];
  } finally {
    ended.abort();
  }
}

/** Returns a function that shares one run among all callers. */
function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= run());
}
