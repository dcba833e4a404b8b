/** An installation of several servers: one PostgreSQL, nginx in front, agents, and a push service. Everything is on loopback. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Database, openDatabase } from "#server/db/open.ts";
import { type ReverseProxy, startNginx } from "#tests/integration/http/reverse-proxies.ts";
import { type Program, runProgram } from "#tests/integration/provider/program.ts";
import { type Provider, type ServerProcess, setUpProvider } from "#tests/integration/provider/provider.ts";
import { freePort } from "#tests/support/free-port.ts";
import { startPostgresCluster } from "#tests/support/postgres-cluster.ts";
import { testIdentity } from "#tests/support/test-identity.ts";
import { type Client, createClient } from "./client.ts";
import { type PushService, startPushService } from "./push-service.ts";
import { findStarted, type Programs } from "./usage.ts";

export interface Installation extends AsyncDisposable {
  readonly provider: Provider;
  readonly nodes: readonly string[];
  readonly database: Database;
  readonly agents: Program;
  readonly pushService: PushService;
  /** The servers that run. */
  readonly servers: () => readonly ServerProcess[];
  /** Starts another server, and nginx again, with all servers that have been started. */
  readonly addServer: () => Promise<void>;
  /** Kills a server with SIGKILL. Returns the time, in milliseconds since 1970. */
  readonly kill: (index: number) => Promise<number>;
  /** Starts a killed server on its former port. */
  readonly restart: (index: number) => Promise<void>;
  readonly client: () => Client;
  readonly programs: () => Programs;
}

interface PlacedServer {
  readonly port: string;
  process: ServerProcess;
}

export async function openInstallation(nodeCount: number): Promise<Installation> {
  await using parts = new AsyncDisposableStack();
  const nodes = Array.from({ length: nodeCount }, (_, index) => `node${index + 1}`);
  // As a provider's PostgreSQL, not as that of a test.
  const settings = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };
  const cluster = parts.use(await startPostgresCluster({ settings }));
  const postgres = findStarted("postgres");
  const database = parts.use(
    await openDatabase({ dataDir: "", url: cluster.adminUrl, onError: () => undefined }),
  );
  const pushService = parts.use(await startPushService());
  const provider = parts.use(
    await setUpProvider(nodes, { trustedProxies: ["127.0.0.1"], pushHosts: [pushService.host] }),
  );
  const certificatePath = join(provider.serverDir, "push-service.pem");
  await writeFile(certificatePath, pushService.certificate);
  const agents = parts.use(
    runProgram("tests/tools/bench/servers/agents.ts", {
      SERVERS_AGENTS: JSON.stringify(provider.agents.map(({ configPath }) => configPath)),
    }),
  );
  await agents.logged("all agents are listening");
  const { certificate } = await testIdentity("peering.example.net");

  const started: PlacedServer[] = [];
  const ended = new Set<PlacedServer>();
  let proxy: { readonly nginx: ReverseProxy; readonly pid: number; readonly client: Client } | null = null;

  const startServer = (port: string) =>
    provider.startServerProcess({
      DATABASE_URL: cluster.adminUrl,
      NODE_EXTRA_CA_CERTS: certificatePath,
      PORT: port,
    });

  async function stopProxy(): Promise<void> {
    proxy?.client.close();
    await proxy?.nginx[Symbol.asyncDispose]();
  }

  parts.defer(stopProxy);
  const all = parts.move();
  return {
    provider,
    nodes,
    database,
    agents,
    pushService,
    servers: () => started.filter((each) => !ended.has(each)).map(({ process: running }) => running),
    addServer: async () => {
      const port = String(await freePort());
      started.push({ port, process: await startServer(port) });
      await stopProxy();
      const [first = "", ...others] = started.map((each) => each.process.url);
      const nginx = await startNginx([first, ...others]);
      proxy = { nginx, pid: findStarted("nginx"), client: createClient(nginx.url, certificate) };
    },
    kill: async (index) => {
      const server = started[index];
      if (!server) throw new Error(`there is no server ${index}`);
      ended.add(server);
      const at = Date.now();
      await server.process.program.end("SIGKILL");
      return at;
    },
    restart: async (index) => {
      const server = started[index];
      if (!server) throw new Error(`there is no server ${index}`);
      server.process = await startServer(server.port);
      ended.delete(server);
    },
    client: () => {
      if (!proxy) throw new Error("nginx does not run");
      return proxy.client;
    },
    programs: () => ({
      servers: started.filter((each) => !ended.has(each)).map((each) => each.process.program.pid),
      PostgreSQL: [postgres],
      nginx: proxy ? [proxy.pid] : [],
      agents: [agents.pid],
    }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
