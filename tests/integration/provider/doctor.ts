/** Runs `peerdeck doctor` beside a provider's servers. */
import { chmod, readFile, writeFile } from "node:fs/promises";
import { onTestFinished } from "vitest";
import { runDoctorCommand } from "#cli/doctor/doctor-command.ts";
import type { Machine } from "#cli/doctor/doctor-context.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { freePort } from "../../support/free-port.ts";
import {
  type Provider,
  type ProviderOptions,
  runUntilError,
  setUpProvider,
  type Settings,
} from "./provider.ts";

/** A machine whose clock is kept, without the package. */
export const plainMachine: Machine = {
  run: async () => ({ code: 0, stdout: "yes\n", stderr: "", isTruncated: false }),
  serverUnit: "/nonexistent",
  backupTimer: "/nonexistent",
  backupFolder: "/nonexistent",
};

export interface DiagnosedProvider {
  readonly provider: Provider;
  /** With fixed ports, which the doctor must know. */
  readonly settings: Settings;
  readonly port: number;
  readonly profilePath: string;
  /** Replaces a part of the profile. */
  readonly editProfile: (replaced: string, instead: string) => Promise<void>;
  /** Returns the lines that are not "OK", and the exit code if there is a problem. */
  readonly diagnose: (options?: DiagnoseOptions) => Promise<readonly string[]>;
}

interface DiagnoseOptions {
  readonly args?: readonly string[];
  readonly settings?: Settings;
  readonly machine?: Machine;
}

/** What this machine cannot have: real routers. */
const simulated = /only simulates a router/;

export async function setUpDiagnosed(
  nodes: readonly string[],
  options: ProviderOptions = {},
): Promise<DiagnosedProvider> {
  const provider = await setUpProvider(nodes, options);
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const port = await freePort();
  const settings = { PORT: String(port), METRICS_PORT: String(await freePort()) };
  const profilePath = provider.environment["PEERDECK_CONFIG"] ?? "";
  await chmod(profilePath, 0o600);
  return {
    provider,
    settings,
    port,
    profilePath,
    editProfile: async (replaced, instead) =>
      writeFile(profilePath, (await readFile(profilePath, "utf8")).replace(replaced, instead)),
    diagnose: async ({ args = [], settings: more = {}, machine = plainMachine } = {}) => {
      const environment = readEnvironment({ ...provider.environment, ...settings, ...more });
      const { code, output } = await runUntilError(environment, (given, print) =>
        runDoctorCommand(args, given, print, machine),
      );
      const lines = output.split("\n").filter((line) => !/^OK |^\d|^$/.test(line) && !simulated.test(line));
      const hasProblem = lines.some((line) => line.startsWith("Problem"));
      return [...lines, ...(code === (hasProblem ? 1 : 0) ? [] : [`exit code ${code}`])];
    },
  };
}
