/**
 * `peerdeck-agent setup`: from an installed package to a node, and a check of one.
 *
 * Invariants: a file that somebody wrote is never changed; what the agent will own is made as its user; and
 * nothing is written before everything that was given is known to be readable.
 */
import { existsSync } from "node:fs";
import { chown, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openIdentity } from "../../identity/tls-identity.ts";
import { systemClock } from "../clock.ts";
import { type AgentConfig, parseAgentConfig } from "../config/agent-config.ts";
import { createBirdControl, isBirdError } from "../drivers/bird/control-socket.ts";
import { runOk, runProcess } from "../processes.ts";
import { formatAddress } from "../../domain/prefix.ts";
import { asOwnerOf } from "./as-owner-of.ts";
import { routerFaults, wireguardFaults } from "./machine-checks.ts";
import { agentToml, birdConfig, birdValues } from "./made-files.ts";
import { parseSetupArguments, type SetupArguments, SetupRefused, usage } from "./setup-arguments.ts";

const birdFile = "/etc/bird/bird.conf";
/** What Debian's package puts there, by which an untouched one is known. */
const birdDefault = "/usr/share/bird2/bird.conf";
const firstRoasMs = 10_000;
const pauseMs = 500;

/**
 * @param configPath where the agent's configuration is or shall be
 * @param folder where the base of bird.conf lies
 */
export async function setUp(args: readonly string[], configPath: string, folder: string): Promise<void> {
  const given = parseSetupArguments(args);
  if (given === "help") return say(usage.trimEnd());
  try {
    await setUpAndCheck(given, configPath, folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    throw new SetupRefused(`${(error as Error).message}. Run setup as root.`, { cause: error });
  }
}

async function setUpAndCheck(
  given: SetupArguments | null,
  configPath: string,
  folder: string,
): Promise<void> {
  const { config, made } = await agentConfig(given, configPath);
  if (given !== null) await makeBirdConfig(given, config, folder);
  await mkdir(config.state_dir, { recursive: true, mode: 0o700 });
  const identity = await asOwnerOf(config.state_dir, () =>
    openIdentity(config.state_dir, `Peerdeck agent ${config.node}`),
  );
  const started = made && hasSystemd();
  if (started) await restart("peerdeck-agent.service");
  // A fresh agent's first ROAs are on their way.
  const deadline = systemClock.now() + (started ? firstRoasMs : 0);
  let faults = await faultsOf(config);
  while (faults.length > 0 && systemClock.now() < deadline) {
    await systemClock.sleep(pauseMs);
    faults = await faultsOf(config);
  }
  if (faults.length === 0) say("The machine has what a node needs.");
  else say(["Still missing:", ...faults.map((fault) => `- ${fault}`)].join("\n"));
  say(
    `\nFor the provider profile, with the place filled in:\n\n${profileLines(config, identity.fingerprint)}`,
  );
  if (config.server_fingerprints.length === 0) {
    say(
      "Nobody may connect yet: put the fingerprint that the server prints when it starts into " +
        `server_fingerprints in ${configPath}, then: systemctl restart peerdeck-agent`,
    );
  }
}

async function faultsOf(config: AgentConfig): Promise<readonly string[]> {
  // As the agent, so that what it may not reach shows here.
  const ofRouter = await asOwnerOf(config.state_dir, async () =>
    routerFaults({
      bird: createBirdControl(config.linux.bird_socket),
      birdConfig: await readOrNull(birdFile).catch(() => null),
      birdDir: config.linux.bird_dir,
    }),
  );
  return [...(await wireguardFaults(runProcess)), ...ofRouter];
}

async function agentConfig(
  given: SetupArguments | null,
  path: string,
): Promise<{ readonly config: AgentConfig; readonly made: boolean }> {
  const kept = await readOrNull(path);
  if (kept !== null) {
    if (given !== null) say(`Kept ${path} as it is.`);
    return { config: parseAgentConfig(kept, path), made: false };
  }
  if (given === null) throw new SetupRefused(`There is no ${path} yet.\n\n${usage}`);
  const text = agentToml(given);
  const config = parseAgentConfig(text, `${path} would have a fault, and was not written`);
  if (birdValues(config.asn, config.linux.addresses, given.prefixes) === null) {
    throw new SetupRefused(
      "--ipv4, --ipv6 and --prefix need an address and a prefix of each family. Nothing was changed.",
    );
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { flag: "wx", mode: 0o640 });
  if (process.getuid?.() === 0) await chown(path, 0, (await stat(dirname(path))).gid);
  say(`Wrote ${path}.`);
  return { config, made: true };
}

/** Where bird.conf is still Debian's. */
async function makeBirdConfig(given: SetupArguments, config: AgentConfig, folder: string): Promise<void> {
  const [kept, untouched] = await Promise.all([readOrNull(birdFile), readOrNull(birdDefault)]);
  if (kept !== null && kept !== untouched) return say(`Kept ${birdFile} as it is.`);
  const values = birdValues(config.asn, config.linux.addresses, given.prefixes);
  if (values === null)
    return say(`Kept ${birdFile} as it is, since ${config.node} has another configuration.`);
  const base = await readFile(join(folder, "bird.conf"), "utf8");
  await writeFile(birdFile, birdConfig(base, values));
  say(`Wrote ${birdFile}.`);
  const reply = await createBirdControl(config.linux.bird_socket)("configure").catch(() => null);
  if (reply && isBirdError(reply)) throw new SetupRefused(`BIRD refuses ${birdFile}: ${reply.text}.`);
  if (!reply && hasSystemd()) await restart("bird.service");
}

const hasSystemd = () => existsSync("/run/systemd/system");

async function restart(unit: string): Promise<void> {
  await runOk(runProcess, "systemctl", ["restart", unit], { timeLimitMs: 120_000 });
  say(`Started ${unit}.`);
}

function profileLines(config: AgentConfig, fingerprint: string): string {
  const { host, port } = config.listen;
  const ipv4 = config.linux.addresses.find(({ bits }) => bits === 32);
  return `[[nodes]]
name = ${JSON.stringify(config.node)}
place = "City, Country"
lat = 0.0
lon = 0.0
public_ip = "${host}"
${ipv4 ? `tunnel_ipv4 = "${formatAddress(ipv4)}"\n` : ""}
[nodes.agent]
url = "https://${host.includes(":") ? `[${host}]` : host}:${port}"
fingerprint = "${fingerprint}"
`;
}

async function readOrNull(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
