/**
 * `peerdeck-agent join`: configures a machine with the installed package as a node, and lets the server add it.
 *
 * Invariants: nothing but the agent's identity is written before the server has proven that it printed the line, and an
 * existing agent.toml is never changed. Every step can be repeated by running the line again.
 */
import { mkdir } from "node:fs/promises";
import { connect } from "node:net";
import { parseAsn } from "../../domain/asn.ts";
import { formatEndpoint } from "../../domain/port.ts";
import { formatAddress, formatPrefix, parsePrefix } from "../../domain/prefix.ts";
import type { JoinResponse } from "../../contract/agent/node-join.ts";
import { openIdentity } from "../../mtls/tls-identity.ts";
import { runAsOwner } from "../../system/run-as-owner.ts";
import { InterruptedError } from "../../system/terminal.ts";
import type { AgentConfig } from "../config/agent-config.ts";
import { checkService } from "../setup/service-check.ts";
import { SetupError } from "../setup/setup-arguments.ts";
import { print, type SetupMachine, withMachineErrors } from "../setup/setup-machine.ts";
import { startAndCheck } from "../setup/start-and-check.ts";
import { readAgentConfig, writeAgentConfig, writeBirdConfig } from "../setup/write-files.ts";
import { askServer } from "./ask-server.ts";
import { type JoinArguments, type JoinFlags, parseJoinArguments, usage } from "./join-arguments.ts";
import { proposeValues } from "./proposals.ts";
import { type Answers, completeAnswers, endpointOf, findContradiction, valuesOf } from "./settings.ts";

const listeningTimeoutMs = 20_000;
const pollMs = 200;

/** Runs the command. */
export async function runJoin(args: readonly string[], machine: SetupMachine): Promise<void> {
  const joinArguments = parseJoinArguments(args);
  if (joinArguments === "help") return print(usage.trimEnd());
  await withMachineErrors("join", () => join(joinArguments, machine));
}

async function join({ line, flags }: JoinArguments, machine: SetupMachine): Promise<void> {
  const existing = await readAgentConfig(machine);
  if (existing !== null) requireFingerprint(existing, line.serverFingerprint, machine);
  const stateDir = existing?.state_dir ?? machine.stateDir;
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const { fingerprint } = await runAsOwner(stateDir, () => openIdentity(stateDir, "Peerdeck agent"));
  const question = { line, agentFingerprint: fingerprint };
  const known = await askServer({ ...question, agent: null }).catch((error: unknown) => {
    throw error instanceof SetupError ? addNothingChanged(error) : error;
  });
  print(`${line.url} knows this line. The node is ${known.node}, of AS${known.asn}.`);
  refuseContradictions(flags, known);
  if (existing !== null) {
    requireSameNode(existing, known, machine);
    requireSameValues(flags, existing, known, machine);
  }

  const answers = await readAnswers(flags, existing, known, machine);
  const config = existing ?? (await writeAgentConfig(settingsOf(flags, known, answers, line), machine));
  if (existing !== null) print(`Kept ${machine.configPath} unchanged.`);
  await writeBirdConfig(known.prefixes, config, machine);
  await startService(config, machine, existing === null);

  const ipv4 = config.linux.addresses.find(({ bits }) => bits === 32);
  const [publicIp = "", ...endpoints] = answers.endpoints;
  const agent = { url: answers.agentUrl, publicIp, endpoints, tunnelIpv4: ipv4 ? formatAddress(ipv4) : null };
  const { node } = await askServer({ ...question, agent }).catch((error: unknown) => {
    if (!(error instanceof SetupError)) throw error;
    const kept = `\n${machine.configPath} was kept: to correct a value, edit it and restart the agent. Then run the same line again.`;
    throw new SetupError(error.message + kept, { cause: error });
  });
  print(`\n${node} has joined. To open it to new peerings, run on the server: peerdeck nodes open ${node}`);
}

/** The server's own message may end in the same sentence. */
function addNothingChanged(error: SetupError): SetupError {
  const sentence = "Nothing was changed.";
  if (error.message.endsWith(sentence)) return error;
  return new SetupError(`${error.message} ${sentence}`, { cause: error });
}

function requireFingerprint(config: AgentConfig, fingerprint: string, { configPath }: SetupMachine): void {
  if (config.server_fingerprints.includes(fingerprint)) return;
  const all = [...config.server_fingerprints, fingerprint].map((text) => JSON.stringify(text));
  throw new SetupError(
    `${configPath} exists, and does not list the fingerprint of the line's server. Nothing was changed. Replace its line ` +
      `server_fingerprints by this one, then run: systemctl restart peerdeck-agent; and the same line again.\n\n` +
      `server_fingerprints = [${all.join(", ")}]`,
  );
}

function requireSameNode(
  config: AgentConfig,
  { node, asn }: JoinResponse,
  { configPath }: SetupMachine,
): void {
  for (const [key, own, told] of [
    ["node", config.node, node],
    ["asn", config.asn, asn],
  ] as const) {
    if (own === told) continue;
    throw new SetupError(
      `${configPath} has ${key} = "${own}", but the line is for "${told}". Nothing was changed. Correct ${key} there, or ` +
        "print the line of that node on the server.",
    );
  }
}

/** An option that an existing agent.toml contradicts would have no effect. */
function requireSameValues(
  flags: JoinFlags,
  config: AgentConfig,
  { allowDocumentation }: JoinResponse,
  { configPath }: SetupMachine,
): void {
  const name = findContradiction(flags, config, allowDocumentation);
  if (name === null) return;
  throw new SetupError(
    `--${name} is ${flags[name]}, but ${configPath} exists and has ${valuesOf(config)[name] || "none"}. Nothing was changed. ` +
      `Correct it there, run: systemctl restart peerdeck-agent; and the same line again without --${name}.`,
  );
}

/** What is typed although the server says it must be the same. */
function refuseContradictions(flags: JoinFlags, known: JoinResponse): void {
  if (flags.node !== undefined && flags.node !== known.node)
    throw contradiction("node", flags.node, known.node);
  if (flags.asn !== undefined && parseAsn(flags.asn) !== known.asn)
    throw contradiction("asn", flags.asn, known.asn);
  const prefix = (flags.prefix ?? []).find((text) => {
    const parsed = parsePrefix(text);
    return parsed === null || !known.prefixes.includes(formatPrefix(parsed));
  });
  if (prefix !== undefined) throw contradiction("prefix", prefix, known.prefixes.join(", "));
}

function contradiction(flag: string, typed: string, told: string): SetupError {
  return new SetupError(
    `--${flag} is ${typed}, but the server says ${told}. Nothing was changed. Leave out --${flag}.`,
  );
}

async function readAnswers(
  flags: JoinFlags,
  existing: AgentConfig | null,
  { prefixes, allowDocumentation }: JoinResponse,
  machine: SetupMachine,
): Promise<Answers> {
  const proposed = await proposeValues(
    machine.run,
    prefixes.flatMap((text) => parsePrefix(text) ?? []),
  );
  using terminal = machine.openTerminal();
  try {
    return await completeAnswers({
      flags,
      terminal,
      allowDocumentation,
      defaults: { ...proposed, ...(existing && endpointOf(existing, allowDocumentation)) },
      known: existing ? valuesOf(existing) : {},
    });
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    throw new SetupError("\nStopped. Nothing was changed.", { cause: error });
  }
}

function settingsOf(flags: JoinFlags, known: JoinResponse, answers: Answers, line: JoinArguments["line"]) {
  return {
    ...answers,
    node: known.node,
    asn: known.asn,
    prefixes: known.prefixes,
    allowDocumentation: known.allowDocumentation,
    servers: [line.serverFingerprint, ...(flags.server ?? [])],
    serverAddresses: flags["server-address"] ?? [],
    roa4: answers.roa4 || undefined,
    roa6: answers.roa6 || undefined,
  };
}

/** Starts the service if it is new or does not run, and waits until the agent listens. Throws `SetupError` if it does not. */
async function startService(config: AgentConfig, machine: SetupMachine, isNew: boolean): Promise<void> {
  const before = machine.hasSystemd && !isNew ? await checkService(machine.run) : null;
  const service = await startAndCheck(config, machine, isNew || before?.isRunning === false);
  if (service === null) return;
  if (!service.isRunning) throw new SetupError(`${service.description}\nThen run the same line again.`);
  print(service.description);
  const deadline = machine.clock.now() + listeningTimeoutMs;
  while (!(await canConnect(config.listen))) {
    if (machine.clock.now() >= deadline) throw new SetupError(describeDeafAgent(config.listen, machine));
    await machine.clock.sleep(pollMs);
  }
}

function describeDeafAgent({ host, port }: AgentConfig["listen"], { configPath }: SetupMachine): string {
  return (
    `The agent does not accept connections on ${formatEndpoint(host, port)}, the address in ${configPath}. The reason is in: ` +
    "journalctl -u peerdeck-agent\nCorrect listen there, run: systemctl restart peerdeck-agent; and the same line again."
  );
}

/** Whether a connection to the agent's port is accepted, as far as this machine can say. */
function canConnect({ host, port }: AgentConfig["listen"]): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isConnected: boolean) => {
      resolve(isConnected);
      socket.destroy();
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.setTimeout(pollMs, () => end(false));
  });
}
