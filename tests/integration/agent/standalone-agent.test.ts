import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentCalls, type Peering } from "../../../src/contract/agent.ts";
import { createCaller } from "../../../src/contract/client.ts";
import { createPinnedTransport } from "../../../src/identity/pinned-transport.ts";
import { openIdentity, type TlsIdentity } from "../../../src/identity/tls-identity.ts";

const asn = "4242420001";
const desired: Peering = {
  asn,
  addressFamily: "Both",
  extendedNextHop: true,
  endpointHost: "198.51.100.7",
  endpointPort: 51_820,
  publicKey: Buffer.alloc(32, 65).toString("base64"),
  listenPort: 20_001,
  peerIpv4: null,
  peerIpv6: "fe80::1",
  localIpv4: null,
  localIpv6: "fe80::2227",
};

let folder = "";
let server: TlsIdentity;
const running = new Set<ChildProcess>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-agent-"));
  server = await openIdentity(join(folder, "server"), "server");
});
afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
  await rm(folder, { recursive: true });
});

async function configure(lines = ""): Promise<string> {
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
}

function start(config: string): ChildProcess {
  return startFile(config, join(import.meta.dirname, "../../../src/agent/main.ts"));
}

function startFile(config: string, file: string): ChildProcess {
  const child = spawn(process.execPath, [file], {
    env: { PEERDECK_AGENT_CONFIG: config },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  return child;
}

interface LogEntry {
  readonly msg: string;
  readonly port: number;
  readonly fingerprint: string;
}

/** What an agent logs until it listens, that line last. */
async function logUntilListening(child: ChildProcess): Promise<readonly LogEntry[]> {
  if (!child.stdout) throw new Error("no output");
  const entries: LogEntry[] = [];
  for await (const line of createInterface(child.stdout)) {
    const entry = JSON.parse(line) as LogEntry;
    entries.push(entry);
    if (entry.msg === "the agent listens") return entries;
  }
  throw new Error("the agent ended before it listened");
}

async function listening(child: ChildProcess): Promise<LogEntry> {
  const last = (await logUntilListening(child)).at(-1);
  if (!last) throw new Error("nothing was logged");
  return last;
}

function connect(port: number, fingerprint: string, identity = server) {
  return createPinnedTransport({
    url: `https://127.0.0.1:${port}`,
    identity,
    fingerprint,
    timeoutMs: 10_000,
  });
}

test("it serves those it has pinned, stops cleanly, and comes back as the same with what it held", async () => {
  const config = await configure();
  const first = start(config);
  const { port, fingerprint } = await listening(first);
  {
    await using transport = connect(port, fingerprint);
    const call = createCaller(transport);
    expect(await call(agentCalls.facts, undefined)).toMatchObject({ node: "syd01", simulation: true });
    expect(await call(agentCalls.apply, { asn, generation: 1, desired })).toMatchObject({
      outcome: "applied",
    });
    const stranger = await openIdentity(join(folder, "stranger"), "stranger");
    await using refused = connect(port, fingerprint, stranger);
    await expect(createCaller(refused)(agentCalls.facts, undefined)).rejects.toThrow(/hang up|ECONNRESET/);
  }
  first.kill("SIGTERM");
  expect(await once(first, "exit")).toEqual([0, null]);

  const second = start(config);
  const again = await listening(second);
  expect(again.fingerprint).toBe(fingerprint);
  await using transport = connect(again.port, fingerprint);
  const call = createCaller(transport);
  expect(await call(agentCalls.generations, undefined)).toEqual([{ asn, generation: 1, present: true }]);
  expect(await call(agentCalls.observe, undefined)).toMatchObject([{ asn }]);
});

test("killed in the middle of an apply, it comes back with the whole of one generation", async () => {
  const config = await configure();
  const first = start(config);
  const { port, fingerprint } = await listening(first);
  const ended = once(first, "exit");
  await using transport = connect(port, fingerprint);
  const cut = createCaller(transport)(agentCalls.apply, { asn, generation: 1, desired });
  cut.catch(() => {});
  await createCaller(transport)(agentCalls.facts, undefined);
  first.kill("SIGKILL");
  await ended;
  await expect(cut).rejects.toThrow("socket hang up");

  const again = await listening(start(config));
  await using later = connect(again.port, again.fingerprint);
  const call = createCaller(later);
  expect(await call(agentCalls.generations, undefined)).toEqual([]);
  expect(await call(agentCalls.apply, { asn, generation: 1, desired })).toMatchObject({ outcome: "applied" });
});

test("a configuration with a fault ends the start with its line", async () => {
  const config = await configure('resolver = "tea leaves"');
  const child = start(config);
  let told = "";
  child.stderr?.on("data", (chunk: Buffer) => (told += chunk.toString()));
  expect(await once(child, "close")).toEqual([1, null]);
  expect(told).toBe(`${config}:7: resolver must be "system" or "simulated".\n`);
});

test(
  "bundled into one file, away from the project, it is the same program",
  { timeout: 60_000 },
  async () => {
    const program = join(import.meta.dirname, "../../../src/build-agent.ts");
    const build = spawn(process.execPath, [program, join(folder, "built")], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    expect(await once(build, "exit")).toEqual([0, null]);
    const child = startFile(await configure(), join(folder, "built/peerdeck-agent.mjs"));
    const { port, fingerprint } = await listening(child);
    await using transport = connect(port, fingerprint);
    expect(await createCaller(transport)(agentCalls.apply, { asn, generation: 1, desired })).toMatchObject({
      outcome: "applied",
    });
  },
);

test("metrics have a listener of their own, and what changes the router does not answer there", async () => {
  const child = start(await configure('metrics_listen = "127.0.0.1:0"'));
  const entries = await logUntilListening(child);
  const { port = 0, fingerprint = "" } = entries.at(-1) ?? {};
  const at = `http://127.0.0.1:${entries.find(({ msg }) => msg === "metrics are served")?.port}`;
  const answer = await fetch(`${at}/metrics`);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await answer.text()).toContain('peerdeck_agent_router_up{node="syd01"} 1\n');
  for (const [method, path] of [
    ["POST", "/v1/apply"],
    ["GET", "/v1/facts"],
    ["POST", "/metrics"],
    ["GET", "/"],
  ] as const) {
    const refused = await fetch(at + path, { method });
    expect([refused.status, await refused.text()]).toEqual([
      404,
      "There is GET /metrics here and nothing else.\n",
    ]);
  }
  await using transport = connect(port, fingerprint);
  const request = { method: "GET", path: "/metrics", headers: {}, body: null, signal: undefined } as const;
  expect((await transport(request)).status).toBe(404);
});

test("a second agent on the same state ends and says so, until the first is gone in whatever way", async () => {
  const config = await configure();
  const first = start(config);
  await listening(first);
  const second = start(config);
  let words = "";
  second.stderr?.on("data", (chunk: Buffer) => (words += chunk.toString()));
  expect(await once(second, "close")).toEqual([1, null]);
  expect(words).toMatch(/^Another agent runs on .*\/state\. This one ends and has changed nothing; /);
  first.kill("SIGKILL");
  await once(first, "exit");
  await listening(start(config));
});
