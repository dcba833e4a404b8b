/**
 * `peerdeck-agent setup`: configures a machine with the installed package as a node, or checks a configured
 * node.
 *
 * Invariants: a file that the operator wrote is never changed; files that the agent owns are created as its
 * user; and nothing is written before all arguments are known to be valid.
 */
import { existsSync } from "node:fs";
import { chown, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openIdentity } from "../../mtls/tls-identity.ts";
import { systemClock } from "../clock.ts";
import { type AgentConfig, parseAgentConfig } from "../config/agent-config.ts";
import { createConfigReader } from "../drivers/bird/included-files.ts";
import { createBirdControl, isBirdError } from "../drivers/bird/control-socket.ts";
import { describeToOperator } from "../../domain/findings/findings.ts";
import { formatEndpoint } from "../../domain/port.ts";
import { ProcessError, runProcess } from "../../system/processes.ts";
import { formatAddress } from "../../domain/prefix.ts";
import { ownedInterfacesFile, readOwnedInterfaces } from "../drivers/wireguard/owned-interfaces.ts";
import { findRepairPause } from "../reconcile/repair-pause.ts";
import { runAsOwner } from "../../system/run-as-owner.ts";
import { describeVersion } from "./bird-version.ts";
import { checkDroppingChains, checkLinks } from "./forwarding-checks.ts";
import {
  checkFirewall,
  checkIpv6,
  checkProbes,
  checkRouter,
  checkWireguard,
  type RouterChecks,
} from "./machine-checks.ts";
import { checkService, restartUnit } from "./service-check.ts";
import { renderAgentConfig, renderBirdConfig, parseBirdValues } from "./config-files.ts";
import { parseSetupArguments, type SetupArguments, SetupError, usage } from "./setup-arguments.ts";

const birdFile = "/etc/bird/bird.conf";
/** The bird.conf of Debian's packages up to release 13; a bird.conf equal to it is unmodified. Later ones have none. */
const birdDefaults = ["/usr/share/bird2/bird.conf", "/usr/share/bird3/bird.conf"];
const firstRoasTimeoutMs = 10_000;
const pollMs = 500;

/**
 * Runs the command.
 *
 * @param configPath the path of the agent's configuration, which may not exist yet
 * @param folder the folder of the base of bird.conf
 */
export async function runSetup(args: readonly string[], configPath: string, folder: string): Promise<void> {
  const setupArguments = parseSetupArguments(args);
  if (setupArguments === "help") return print(usage.trimEnd());
  try {
    await setupAndCheck(setupArguments, configPath, folder);
  } catch (error) {
    if (error instanceof ProcessError) throw new SetupError(`${error.message}.`, { cause: error });
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    throw new SetupError(`${(error as Error).message}. Run setup as root.`, { cause: error });
  }
}

async function setupAndCheck(
  setupArguments: SetupArguments | null,
  configPath: string,
  folder: string,
): Promise<void> {
  const { config, created } = await openAgentConfig(setupArguments, configPath);
  if (setupArguments !== null) await writeBirdConfig(setupArguments, config, folder);
  await mkdir(config.state_dir, { recursive: true, mode: 0o700 });
  const identity = await runAsOwner(config.state_dir, () =>
    openIdentity(config.state_dir, `Peerdeck agent ${config.node}`),
  );
  const started = created && hasSystemd();
  // If it does not start, the checks say why.
  if (started) print(await restartUnit(runProcess, "peerdeck-agent.service"));
  // A newly started agent is still loading its first ROAs.
  const deadline = systemClock.now() + (started ? firstRoasTimeoutMs : 0);
  let { problems, notes, birdVersion } = await checkMachine(config);
  while (problems.length > 0 && systemClock.now() < deadline) {
    await systemClock.sleep(pollMs);
    ({ problems, notes, birdVersion } = await checkMachine(config));
  }
  const service = hasSystemd() ? await checkService(runProcess) : null;
  if (service?.isRunning === false) problems = [...problems, "The agent's service does not run; see below."];
  if (problems.length === 0) print("This machine meets all requirements of a node.");
  else print(["Problems found:", ...problems.map((problem) => `- ${problem}`)].join("\n"));
  if (birdVersion !== null) print(describeVersion(birdVersion));
  notes.forEach(print);
  print(
    `\nAdd these lines to the provider profile and fill in the place:\n\n${profileLines(config, identity.fingerprint)}`,
  );
  if (config.server_fingerprints.length === 0) {
    print(
      "No server can connect yet: add the fingerprint that peerdeck fingerprint prints on the server to " +
        `server_fingerprints in ${configPath}, then: systemctl restart peerdeck-agent`,
    );
  }
  if (config.server_addresses.length === 0) {
    print(
      "Every address can connect to the agent's port: add the address of the server to " +
        `server_addresses in ${configPath}, then: systemctl restart peerdeck-agent`,
    );
  }
  if (service === null) return;
  if (!service.isRunning) throw new SetupError(service.description);
  print(service.description);
}

interface MachineChecks extends RouterChecks {
  /** What is no problem, and for the operator to check. */
  readonly notes: readonly string[];
}

async function checkMachine(config: AgentConfig): Promise<MachineChecks> {
  const { state_dir: stateDir, linux } = config;
  const bird = createBirdControl(linux.bird_socket);
  const tunnels = Object.values(linux.tunnels).map((tunnel) => tunnel.interface);
  const links = {
    run: runProcess,
    bird,
    listed: [...tunnels, ...linux.firewall.interfaces],
    participants: await readOwnedInterfaces(join(stateDir, ownedInterfacesFile)),
  };
  // Runs as the agent's user, so that missing permissions show up.
  const { router, ofLinks, ofIpv6, ofPause } = await runAsOwner(stateDir, async () => ({
    router: await checkRouter({
      bird,
      birdFiles: await createConfigReader(() => false)(birdFile),
      birdDir: linux.bird_dir,
      roaDir: linux.roa.dir,
      asn: config.asn,
      providerPrefixes: config.rules.provider_prefixes,
    }),
    ofLinks: await checkLinks(links),
    ofIpv6: await checkIpv6(config),
    ofPause: await findRepairPause(stateDir, systemClock.now()),
  }));
  const chains = await checkDroppingChains(runProcess);
  const machine = [
    ...(await checkWireguard(runProcess)),
    ...(await checkFirewall(runProcess)),
    ...(await checkProbes(runProcess)),
  ];
  return {
    problems: [...machine, ...chains.problems, ...ofIpv6, ...router.problems, ...ofLinks],
    notes: [...chains.notes, ...ofPause.map(describeToOperator)],
    birdVersion: router.birdVersion,
  };
}

async function openAgentConfig(
  setupArguments: SetupArguments | null,
  path: string,
): Promise<{ readonly config: AgentConfig; readonly created: boolean }> {
  const existing = await readOrNull(path);
  if (existing !== null) {
    if (setupArguments !== null) print(`Kept ${path} unchanged.`);
    return { config: parseAgentConfig(existing, path), created: false };
  }
  if (setupArguments === null) throw new SetupError(`${path} does not exist yet.\n\n${usage}`);
  const text = renderAgentConfig(setupArguments);
  const config = parseAgentConfig(text, `${path} would be invalid and was not written`);
  if (parseBirdValues(config.asn, config.linux.addresses, setupArguments.prefixes) === null) {
    throw new SetupError(
      "--ipv4, --ipv6 and --prefix need an address and a prefix of each family. Nothing was changed.",
    );
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { flag: "wx", mode: 0o640 });
  if (process.getuid?.() === 0) await chown(path, 0, (await stat(dirname(path))).gid);
  print(`Wrote ${path}.`);
  return { config, created: true };
}

/** Writes bird.conf if it is still Debian's. */
async function writeBirdConfig(
  setupArguments: SetupArguments,
  config: AgentConfig,
  folder: string,
): Promise<void> {
  const [existing, ...defaults] = await Promise.all([birdFile, ...birdDefaults].map(readOrNull));
  if (typeof existing === "string" && !defaults.includes(existing))
    return print(`Kept ${birdFile} unchanged.`);
  const values = parseBirdValues(config.asn, config.linux.addresses, setupArguments.prefixes);
  if (values === null)
    return print(`Kept ${birdFile} unchanged, because agent.toml has no address of one address family.`);
  const base = await readFile(join(folder, "bird.conf"), "utf8");
  await writeFile(birdFile, renderBirdConfig(base, values));
  print(`Wrote ${birdFile}.`);
  const reply = await createBirdControl(config.linux.bird_socket)("configure").catch(() => null);
  if (reply && isBirdError(reply)) throw new SetupError(`BIRD rejected ${birdFile}: ${reply.text}.`);
  if (!reply && hasSystemd()) print(await restartUnit(runProcess, "bird.service"));
}

const hasSystemd = () => existsSync("/run/systemd/system");

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
url = "https://${formatEndpoint(host, port)}"
fingerprint = "${fingerprint}"
`;
}

async function readOrNull(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
