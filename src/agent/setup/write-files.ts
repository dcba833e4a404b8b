/**
 * Writes the files of a node.
 *
 * Invariants: a file that the operator wrote is never changed; nothing is written before all values are known to be valid;
 * and a run that was killed can be repeated.
 */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createFile } from "../../system/durable-file.ts";
import { type AgentConfig, parseAgentConfig } from "../config/agent-config.ts";
import { createBirdControl, isBirdError } from "../drivers/bird/control-socket.ts";
import { parseBirdValues, renderAgentConfig, renderBirdConfig } from "./config-files.ts";
import { restartUnit } from "./service-check.ts";
import { type SetupArguments, SetupError } from "./setup-arguments.ts";
import { print, readOrNull, type SetupMachine } from "./setup-machine.ts";

/** Reads agent.toml; null if there is none. */
export async function readAgentConfig({ configPath }: SetupMachine): Promise<AgentConfig | null> {
  const existing = await readOrNull(configPath);
  return existing === null ? null : parseAgentConfig(existing, configPath);
}

/** Writes agent.toml, which must not exist. */
export async function writeAgentConfig(
  settings: SetupArguments,
  { configPath, stateDir }: SetupMachine,
): Promise<AgentConfig> {
  const text = renderAgentConfig(settings, stateDir);
  const config = parseAgentConfig(text, `${configPath} would be invalid and was not written`);
  if (parseBirdValues(config.asn, config.linux.addresses, settings.prefixes) === null) {
    throw new SetupError(
      "--ipv4, --ipv6 and the provider's prefixes need an address and a prefix of each family. Nothing was changed.",
    );
  }
  const folder = dirname(configPath);
  await mkdir(folder, { recursive: true });
  const isRoot = process.getuid?.() === 0;
  const access = { mode: 0o640, ...(isRoot && { gid: (await stat(folder)).gid }) };
  if (!(await createFile(configPath, text, access)))
    throw new SetupError(`Another program wrote ${configPath} meanwhile. Run the command again.`);
  print(`Wrote ${configPath}.`);
  return config;
}

/** Writes bird.conf if it is still Debian's, and has BIRD load it. */
export async function writeBirdConfig(
  prefixes: readonly string[],
  config: AgentConfig,
  machine: SetupMachine,
): Promise<void> {
  const { birdFile, birdDefaults } = machine;
  const [existing = null, ...defaults] = await Promise.all([birdFile, ...birdDefaults].map(readOrNull));
  const isUnmodified = existing === null || ["", ...defaults].includes(existing);
  const values = parseBirdValues(config.asn, config.linux.addresses, prefixes);
  const base = await readOrNull(join(machine.folder, "bird.conf"));
  const text = values && base !== null ? renderBirdConfig(base, values) : null;
  // An equal one is of a run that was killed before BIRD loaded it.
  if (!isUnmodified && existing !== text) return print(`Kept ${birdFile} unchanged.`);
  if (values === null)
    return print(`Kept ${birdFile} unchanged, because agent.toml has no address of one address family.`);
  if (text === null) throw new SetupError(`${machine.folder} has no bird.conf, the base of ${birdFile}.`);
  if (isUnmodified) await writeFile(birdFile, text);
  print(isUnmodified ? `Wrote ${birdFile}.` : `Kept ${birdFile} unchanged.`);
  const reply = await createBirdControl(config.linux.bird_socket)("configure").catch(() => null);
  if (reply && isBirdError(reply)) throw new SetupError(`BIRD rejected ${birdFile}: ${reply.text}.`);
  if (!reply && machine.hasSystemd) print(await restartUnit(machine.run, "bird.service"));
}
