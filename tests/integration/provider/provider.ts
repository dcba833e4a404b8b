/**
 * A provider's installation: a generated profile, agents, and pinned TLS between them and the servers. Agents, servers and
 * commands run in the test's process, which saves the start of another one, unless a test needs a process to end or freeze.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { parseAgentConfig } from "#agent/config/agent-config.ts";
import { startAgent } from "#agent/start-agent.ts";
import type { Peering } from "#contract/agent.ts";
import { openIdentity } from "#mtls/tls-identity.ts";
import { type MailServer, type MailServerOptions, startMailServer } from "#lab/mail-server.ts";
import { type Environment, readEnvironment } from "#server/config/environment.ts";
import { createLog } from "#server/log.ts";
import { openServerIdentity, start } from "#server/provider-server.ts";
import { runCommand } from "#cli/run-command.ts";
import { describeOperatorError } from "#server/start-error.ts";
import { agentProgram, serverProgram } from "../../support/built-programs.ts";
import { freePort } from "../../support/free-port.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import {
  createLogReader,
  type LogReader,
  type Program,
  runCommand as runProcess,
  runProgram,
} from "./program.ts";

/** A deployment on a simulated router takes 60 ms instead of 600. */
const timeScale = 0.1;
/** The program before it is bundled: what a test loads before it can change its modules. */
export const serverSource = "src/cli/main.ts";
const demoRegistry = join(import.meta.dirname, "../../../src/demo/registry");

/** The variables of a program that is killed before a step (kill-before-step.ts). */
export function killBeforeStep(step: number) {
  return {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, "kill-before-step.ts")}`,
    KILL_BEFORE_STEP: String(step),
  } as const;
}

export interface AgentAt {
  readonly node: string;
  readonly port: number;
  readonly stateDir: string;
  /** The path of its configuration. */
  readonly configPath: string;
  readonly fingerprint: string;
}

/** A peering as an agent has stored it. */
export interface StoredPeering {
  readonly asn: string;
  readonly generation: number;
  /** The database that has deployed it. */
  readonly database?: string;
  /** Null for one that was removed. */
  readonly routed: { readonly peering: Peering } | null;
}

export interface Stoppable {
  readonly stop: () => Promise<void>;
}

export interface ProviderOptions {
  /** Nodes with an agent that the profile lacks: they can join. */
  readonly joining?: readonly string[];
  /** Fingerprints by node that the profile contains instead of the agent's. */
  readonly pinned?: Readonly<Record<string, string>>;
  readonly mailServer?: MailServerOptions;
  /** The profile's table of the registry; by default it is the demo's. */
  readonly registry?: string;
  /** Addresses of reverse proxies. */
  readonly trustedProxies?: readonly string[];
  readonly publicUrl?: string;
  /** Push services besides those of the browsers. */
  readonly pushHosts?: readonly string[];
}

export interface Provider extends AsyncDisposable {
  readonly mail: MailServer;
  readonly agents: readonly AgentAt[];
  readonly serverDir: string;
  /** The variables of the server's environment. */
  readonly environment: Settings;
  /** Starts or restarts the agent, with the server pinned. */
  startAgent(node: string): Promise<Stoppable>;
  startAgentProcess(node: string, environment?: Readonly<Record<string, string>>): Promise<Program>;
  /** What the agent of a node, by default the first one, has stored, in the order of the AS numbers. */
  readPeerings(node?: string): Promise<readonly StoredPeering[]>;
  /** Writes the fingerprint of another server into the agents' files. */
  pinServer(fingerprint: string): Promise<void>;
  /** Starts a server and waits until it listens. Several servers can share a database URL. */
  startServer(settings?: Settings): Promise<Server>;
  /** Starts a server as a process, without waiting for it. */
  launchServer(settings?: Settings, program?: string): Program;
  /** Starts a server as a process and waits until it listens. */
  startServerProcess(settings?: Settings, program?: string): Promise<ServerProcess>;
  /** Runs a command of the server's program with the settings of `startServer`. */
  runCommand(args: readonly string[], settings?: Settings): Promise<CommandResult>;
  /** Runs a command as a process, which is killed before a step (kill-before-step.ts) if it has so many. */
  killCommandBeforeStep(
    step: number,
    args: readonly string[],
    settings?: Settings,
  ): Promise<{ readonly code: number | null; readonly output: string }>;
  /** Starts a server that must refuse, and returns what the operator reads. */
  refuseStart(settings?: Settings): Promise<string>;
}

/** Variables of the server's environment. */
export type Settings = Readonly<Record<string, string>>;

export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

export interface Server extends LogReader, Stoppable {
  readonly url: string;
  readonly metricsUrl: string;
}

export interface ServerProcess {
  readonly url: string;
  readonly metricsUrl: string;
  readonly program: Program;
}

/**
 * Sets up an installation: creates the identities of the server and the agents, and writes the fingerprints of the agents
 * into the profile and that of the server into the agents' files.
 */
export async function setUpProvider(
  nodes: readonly string[],
  options: ProviderOptions = {},
): Promise<Provider> {
  await using parts = new AsyncDisposableStack();
  const folder = await createScratchFolder((remove) => parts.defer(remove));
  const mail = parts.use(await startMailServer(options.mailServer));
  const serverDir = join(folder, "server");
  const profilePath = join(folder, "provider.toml");
  const agentPath = (node: string) => join(folder, `${node}.toml`);

  const { joining = [] } = options;
  const agents = await Promise.all(
    [...nodes, ...joining].map(async (node) => {
      const stateDir = join(folder, node);
      const { fingerprint } = await openIdentity(stateDir, `Peerdeck agent ${node}`);
      return { node, port: await freePort(), stateDir, configPath: agentPath(node), fingerprint };
    }),
  );
  await writeFile(profilePath, profileFile(agents.slice(0, nodes.length), mail.url(), options));

  const common = { PEERDECK_CONFIG: profilePath, DATA_DIR: serverDir, PORT: "0", METRICS_PORT: "0" };
  const pinServer = async (server: string) => {
    await Promise.all(agents.map((at) => writeFile(agentPath(at.node), agentFile(at, server))));
  };
  await pinServer((await openServerIdentity(serverDir)).fingerprint);

  const running = parts.move();
  const launchServer = (settings?: Settings, program = serverProgram) =>
    running.use(runProgram(program, { ...common, ...settings }, ["server"]));
  return {
    mail,
    agents,
    serverDir,
    environment: common,
    async startAgent(node) {
      const path = agentPath(node);
      const config = parseAgentConfig(await readFile(path, "utf8"), path);
      const agent = running.use(await startAgent(config, pino({ level: "silent" }), timeScale));
      return { stop: async () => agent[Symbol.asyncDispose]() };
    },
    async startAgentProcess(node, environment) {
      const program = running.use(
        runProgram(agentProgram, {
          DEMO_TIME_SCALE: String(timeScale),
          ...environment,
          PEERDECK_AGENT_CONFIG: agentPath(node),
        }),
      );
      await program.logged("agent listening");
      return program;
    },
    async readPeerings(node) {
      const { stateDir } = agents.find((agent) => agent.node === node) ?? agents[0] ?? { stateDir: "" };
      const text = await readFile(join(stateDir, "state.json"), "utf8");
      const { peerings } = JSON.parse(text) as { readonly peerings: readonly StoredPeering[] };
      return peerings.toSorted((a, b) => a.asn.localeCompare(b.asn));
    },
    pinServer,
    async startServer(settings) {
      const server = await startServer(readEnvironment({ ...common, ...settings }));
      running.defer(server.stop);
      return server;
    },
    launchServer,
    async startServerProcess(settings, file) {
      const program = launchServer(settings, file);
      const { url } = await program.logged("the server is listening");
      const { port } = await program.logged("metrics server listening");
      return { url: String(url), metricsUrl: `http://127.0.0.1:${String(port)}/metrics`, program };
    },
    runCommand: async ([name = "", ...args], settings) =>
      runUntilError(readEnvironment({ ...common, ...settings }), (environment, print) =>
        runCommand(name, args, environment, print),
      ),
    killCommandBeforeStep: (step, args, settings) =>
      runProcess(serverSource, args, {
        ...common,
        ...settings,
        ...killBeforeStep(step),
      }),
    refuseStart: (settings) => refuseServer(readEnvironment({ ...common, ...settings })),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function startServer(environment: Environment): Promise<Server> {
  const { add, end, log, logged } = createLogReader();
  const running = await start(environment, createLog(environment.logLevel ?? "info", { write: add }));
  return {
    url: running.url,
    metricsUrl: running.metricsUrl ?? "",
    log,
    logged,
    async stop() {
      await running[Symbol.asyncDispose]();
      end(() => "the server was stopped");
    },
  };
}

/** Starts a server that must refuse, and returns what the operator reads. */
export async function refuseServer(environment: Environment): Promise<string> {
  const { output } = await runUntilError(environment, async () => {
    await using server = await start(environment, createLog("silent"));
    throw new Error(`a server that must refuse listens on ${server.url}`);
  });
  return output;
}

/** Runs a part of the server's program, and returns what the operator reads. */
export async function runUntilError(
  environment: Environment,
  run: (environment: Environment, print: (text: string) => void) => Promise<number>,
): Promise<CommandResult> {
  let output = "";
  const print = (text: string) => {
    output += `${text}\n`;
  };
  try {
    return { code: await run(environment, print), output };
  } catch (error) {
    const sentence = describeOperatorError(error, environment);
    if (sentence === null) throw error;
    print(sentence);
    return { code: 1, output };
  }
}

function agentFile({ node, port, stateDir }: AgentAt, server: string): string {
  return `node = "${node}"
asn = "4242422227"
listen = "127.0.0.1:${port}"
state_dir = "${stateDir}"
server_fingerprints = ["${server}"]
router = "simulated"
resolver = "simulated"

[rules]
allow_documentation = true
`;
}

function profileFile(
  agents: readonly AgentAt[],
  mailUrl: string,
  {
    pinned = {},
    registry = `path = "${demoRegistry}"`,
    trustedProxies = [],
    pushHosts = [],
    publicUrl = "http://peering.example.net",
  }: ProviderOptions,
): string {
  const nodes = agents.map(
    ({ node, port, fingerprint }, index) => `
[[nodes]]
name = "${node}"
place = "Somewhere"
lat = ${index}.5
lon = 10.0
public_ip = "192.0.2.${index + 1}"
tunnel_ipv4 = "172.20.222.${index + 1}"

[nodes.agent]
url = "https://127.0.0.1:${port}"
fingerprint = "${pinned[node] ?? fingerprint}"
`,
  );
  return `name = "Example Network"
domain = "example.net"
asn = "4242422227"
public_url = "${publicUrl}"
support_address = "support@example.net"
allow_documentation = true
trusted_proxies = ${JSON.stringify(trustedProxies)}

[registry]
${registry}

[push]
hosts = ${JSON.stringify(pushHosts)}

[mail]
url = "${mailUrl}"
from = "Example Network <peering@example.net>"
${nodes.join("")}`;
}
