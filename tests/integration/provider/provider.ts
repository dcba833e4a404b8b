/** A provider's installation: a generated profile, agents and servers as processes, and pinned TLS between them. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";
import { type MailServer, type MailServerOptions, startMailServer } from "#lab/mail-server.ts";
import { type Program, runCommand, runProgram } from "./program.ts";

/** A deployment on a simulated router takes 60 ms instead of 600. */
const fastRouter = { DEMO_TIME_SCALE: "0.1" };
const unusedFingerprint = "00".repeat(32);
const registry = join(import.meta.dirname, "../../../src/demo/registry");

export interface AgentAt {
  readonly node: string;
  readonly port: number;
  readonly stateDir: string;
  /** The fingerprint that the agent logged at its first start. */
  readonly fingerprint: string;
}

export interface Provider extends AsyncDisposable {
  readonly mail: MailServer;
  readonly agents: readonly AgentAt[];
  readonly serverDir: string;
  readonly profilePath: string;
  /** Starts or restarts the agent, with the server pinned. */
  startAgent(node: string, environment?: Readonly<Record<string, string>>): Promise<Program>;
  /** Writes the fingerprint of another server into the agents' files. */
  pinServer(fingerprint: string): Promise<void>;
  /** Starts a server without waiting for it. */
  launchServer(environment?: Readonly<Record<string, string>>): Program;
  /** Starts a server and waits until it listens. Several servers can share a database URL. */
  startServer(environment?: Readonly<Record<string, string>>): Promise<RunningProgram>;
  /** Runs a command of the server's program with the settings of `startServer`. */
  runCommand(
    args: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number | null; readonly output: string }>;
}

export interface RunningProgram {
  readonly url: string;
  readonly program: Program;
}

/**
 * Sets up an installation like an operator: starts the agents once for their fingerprints, writes these into the
 * profile, starts the server once for its fingerprint, and writes that into the agents' files.
 *
 * @param pinned fingerprints by node that the profile contains instead of the agent's
 */
export async function setUpProvider(
  nodes: readonly string[],
  pinned: Readonly<Record<string, string>> = {},
  mailServer: MailServerOptions = {},
): Promise<Provider> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-provider-"));
  parts.defer(() => rm(folder, { recursive: true }));
  const mail = parts.use(await startMailServer(mailServer));
  const serverDir = join(folder, "server");
  const profilePath = join(folder, "provider.toml");
  const agentPath = (node: string) => join(folder, `${node}.toml`);

  const agents = await Promise.all(
    nodes.map(async (node) => {
      const at = { node, port: await freePort(), stateDir: join(folder, node) };
      await writeFile(agentPath(node), agentFile(at, unusedFingerprint));
      await using first = runProgram("src/agent/main.ts", { PEERDECK_AGENT_CONFIG: agentPath(node) });
      const { fingerprint } = await first.logged("agent listening");
      return { ...at, fingerprint: String(fingerprint) };
    }),
  );
  await writeFile(profilePath, profileFile(agents, mail.url(), pinned));

  const common = { PEERDECK_CONFIG: profilePath, DATA_DIR: serverDir, PORT: "0" };
  const launchServer = (owner: AsyncDisposableStack, environment: Readonly<Record<string, string>> = {}) =>
    owner.use(runProgram("src/main.ts", { ...common, ...environment }));
  const startServer = async (
    owner: AsyncDisposableStack,
    environment?: Readonly<Record<string, string>>,
  ): Promise<RunningProgram> => {
    const program = launchServer(owner, environment);
    const { url } = await program.logged("the server is listening");
    return { url: String(url), program };
  };

  const first = await startServer(parts);
  const { fingerprint: own } = await first.program.logged("the server is listening");
  await first.program.end("SIGTERM");
  const pinServer = async (server: string) => {
    await Promise.all(agents.map((at) => writeFile(agentPath(at.node), agentFile(at, server))));
  };
  await pinServer(String(own));

  const running = parts.move();
  return {
    mail,
    agents,
    serverDir,
    profilePath,
    async startAgent(node, environment) {
      const program = running.use(
        runProgram("src/agent/main.ts", {
          ...fastRouter,
          ...environment,
          PEERDECK_AGENT_CONFIG: agentPath(node),
        }),
      );
      await program.logged("agent listening");
      return program;
    },
    pinServer,
    launchServer: (environment) => launchServer(running, environment),
    startServer: (environment) => startServer(running, environment),
    runCommand: (args, environment) => runCommand("src/main.ts", args, { ...common, ...environment }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function agentFile({ node, port, stateDir }: Omit<AgentAt, "fingerprint">, server: string): string {
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
  pinned: Readonly<Record<string, string>>,
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
public_url = "http://peering.example.net"
support_address = "support@example.net"
allow_documentation = true

[registry]
path = "${registry}"

[mail]
url = "${mailUrl}"
from = "Example Network <peering@example.net>"
${nodes.join("")}`;
}
