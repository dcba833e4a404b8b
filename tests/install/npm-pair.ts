/** npm and Node.js as newcomers have them, from their packages. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { openCachedFolder } from "../support/cached-folder.ts";
import { runAsRoot } from "../support/root-command.ts";

export interface NpmPair {
  readonly npm: string;
  readonly node: string;
}

export const oldestPair: NpmPair = { npm: "10.8.2", node: "20.20.2" };
export const newestPair: NpmPair = { npm: "11.0.0", node: "24.21.0" };

export const npmPairs: readonly NpmPair[] = [
  { npm: "9.2.0", node: "20.20.2" },
  oldestPair,
  { npm: "10.9.4", node: "22.23.3" },
  newestPair,
  { npm: "12.2.1", node: "24.21.0" },
];

/** What a newcomer's shell has, and the settings of this machine's network. Nothing of npm's or vitest's own variables. */
const passedVariables =
  /^(?:HOME|LANG|(?:https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|npm_config_(?:registry|cafile|cache|userconfig))$/i;

/** Returns the environment of a shell in which `npm` and `node` are this pair. */
export async function shellWith({ npm, node }: NpmPair): Promise<Record<string, string>> {
  const commands = [
    await openPackage(`npm@${npm}`),
    await openPackage(`node-${process.platform}-${process.arch}@${node}`),
  ];
  return { ...baseEnvironment(), PATH: [...commands, "/usr/bin", "/bin"].join(":") };
}

function baseEnvironment(): Record<string, string> {
  const passed = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && passedVariables.test(name) ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(passed), npm_config_update_notifier: "false" };
}

/** Returns the folder of a package's commands. */
async function openPackage(specifier: string): Promise<string> {
  const folder = await openCachedFolder(specifier, async (temporary) => {
    const own = await mkdtemp(path.join(tmpdir(), "peerdeck-package-"));
    try {
      await promisify(execFile)("npm", ["install", "--prefix", own, "--no-audit", "--no-fund", specifier], {
        env: { ...baseEnvironment(), PATH: process.env["PATH"] },
      });
      await runAsRoot("cp", "-a", own, temporary);
      // The package is also run by a user who may not write.
      await runAsRoot("chmod", "a+rX", temporary);
    } finally {
      await rm(own, { recursive: true });
    }
  });
  return path.join(folder, "node_modules/.bin");
}
