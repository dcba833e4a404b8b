/** A folder with an agent's configuration and state, the server that it pins, and agents as processes. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createPinnedTransport } from "#mtls/pinned-transport.ts";
import { agentProgram } from "../../support/built-programs.ts";
import { compileCache } from "../../support/compile-cache.ts";
import { repository } from "../../support/repository.ts";
import { testIdentity } from "../../support/test-identity.ts";

export type AgentProcess = ChildProcessByStdio<null, Readable, Readable>;

export type AgentHost = Awaited<ReturnType<typeof createAgentHost>>;

export async function createAgentHost() {
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-agent-"));
  const server = await testIdentity("server");
  const running = new Set<AgentProcess>();
  return {
    folder,
    /** The identity of the server, which the agent pins. */
    server,
    /** Writes the agent's configuration with these additional lines, and returns its path. */
    async configure(lines = "") {
      const path = join(folder, "agent.toml");
      await writeFile(
        path,
        `node = "syd01"
asn = "4242422227"
listen = "127.0.0.1:0"
state_dir = "${join(folder, "state")}"
server_fingerprints = ["${server.fingerprint}"]
router = "simulated"
${lines}
[rules]
allow_documentation = true
`,
      );
      return path;
    },
    /** Starts an agent, which is killed when the host is disposed. */
    start(config: string): AgentProcess {
      const child = spawn(process.execPath, [join(repository, agentProgram)], {
        env: { ...compileCache, PEERDECK_AGENT_CONFIG: config, DEMO_TIME_SCALE: "0.01" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.add(child);
      return child;
    },
    connect: (port: number, fingerprint: string, identity = server) =>
      createPinnedTransport({
        url: `https://127.0.0.1:${port}`,
        identity,
        fingerprint,
        timeoutMs: 10_000,
      }),
    async [Symbol.asyncDispose]() {
      for (const child of running) child.kill("SIGKILL");
      await rm(folder, { recursive: true });
    },
  };
}

export interface LogEntry {
  readonly msg: string;
  readonly port: number;
  readonly fingerprint: string;
}

/** Reads the log entries of an agent until it listens; that entry is the last one. */
export async function logUntilListening(child: AgentProcess): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const line of createInterface(child.stdout)) {
    const entry = JSON.parse(line) as LogEntry;
    entries.push(entry);
    if (entry.msg === "agent listening") return entries;
  }
  throw new Error("the agent ended before it listened");
}

export async function waitUntilListening(child: AgentProcess): Promise<LogEntry> {
  const last = (await logUntilListening(child)).at(-1);
  if (!last) throw new Error("nothing was logged");
  return last;
}
