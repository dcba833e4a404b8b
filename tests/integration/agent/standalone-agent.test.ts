import { once } from "node:events";
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text as readText } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { peeringOf, sender } from "#agent/fixtures/peerings.ts";
import { agentCalls } from "#contract/agent.ts";
import { createCaller } from "#contract/client.ts";
import { repository } from "../../support/repository.ts";
import { testIdentity } from "../../support/test-identity.ts";
import { type AgentHost, createAgentHost, logUntilListening, waitUntilListening } from "./agent-host.ts";
import { agentProtocol, withProtocol } from "#contract/agent/agent-protocol.ts";

const desired = peeringOf(1);
const { asn } = desired;

let host: AgentHost;
beforeEach(async () => {
  host = await createAgentHost();
});
afterEach(() => host[Symbol.asyncDispose]());

test("serves pinned clients, stops cleanly, and keeps its identity and peerings across a restart", async () => {
  const config = await host.configure('metrics_listen = "127.0.0.1:0"');
  const first = host.start(config);
  const entries = await logUntilListening(first);
  const { port = 0, fingerprint = "" } = entries.at(-1) ?? {};
  await expectOnlyMetrics(entries.find(({ msg }) => msg === "metrics server listening")?.port);
  {
    await using transport = host.connect(port, fingerprint);
    const call = createCaller(withProtocol(transport));
    expect(await call(agentCalls.facts, undefined)).toMatchObject({ node: "syd01", simulation: true });
    expect(await call(agentCalls.apply, { ...sender, asn, generation: 1, desired })).toMatchObject({
      outcome: "applied",
    });
    await expect(
      createCaller(withProtocol(transport, agentProtocol + 1))(agentCalls.apply, {
        ...sender,
        asn,
        generation: 2,
        desired: null,
      }),
    ).rejects.toThrow(`the agent speaks protocol ${agentProtocol}, the server ${agentProtocol + 1}`);
    expect(await call(agentCalls.observe, undefined)).toMatchObject([{ asn }]);
    const request = { method: "GET", path: "/metrics", headers: {}, body: null, signal: undefined } as const;
    expect((await withProtocol(transport)(request)).status).toBe(404);
    const unknownClient = await testIdentity("stranger");
    await using refused = host.connect(port, fingerprint, unknownClient);
    await expect(createCaller(withProtocol(refused))(agentCalls.facts, undefined)).rejects.toThrow(
      /hang up|ECONNRESET/,
    );
  }
  expect(await runMain([], config)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^Another agent is running on .*\/state\. This one exits without changes; /,
    ),
  });
  first.kill("SIGTERM");
  expect(await once(first, "exit")).toEqual([0, null]);

  const second = host.start(config);
  const restarted = await waitUntilListening(second);
  expect(restarted.fingerprint).toBe(fingerprint);
  await using transport = host.connect(restarted.port, fingerprint);
  const call = createCaller(withProtocol(transport));
  expect(await call(agentCalls.generations, undefined)).toEqual([
    { asn, generation: 1, present: true, database: sender.database },
  ]);
  expect(await call(agentCalls.observe, undefined)).toMatchObject([{ asn }]);
});

test("a list of servers that leaves out the one that brings it does not lock it out, also after a restart", async () => {
  const config = await host.configure();
  const first = host.start(config);
  const { port, fingerprint } = await waitUntilListening(first);
  await using transport = host.connect(port, fingerprint);
  await createCaller(withProtocol(transport))(agentCalls.setOtherNodes, {
    nodes: [],
    changed: [],
    strictSource: false,
    provider: { version: "1", endpoints: ["de01.example.net"], servers: ["192.0.2.10"] },
  });
  first.kill("SIGKILL");
  await once(first, "exit");
  const stored = JSON.parse(await readFile(join(host.folder, "state/other-nodes.json"), "utf8"));
  expect(stored).toMatchObject({
    provider: { endpoints: ["de01.example.net"], servers: ["192.0.2.10/32"] },
    connections: ["127.0.0.1"],
  });
  const second = await waitUntilListening(host.start(config));
  await using again = host.connect(second.port, fingerprint);
  expect(await createCaller(withProtocol(again))(agentCalls.exposure, undefined)).toMatchObject({
    providerVersion: "1",
  });
});

/** Metrics have a listener of their own, which serves nothing else. */
async function expectOnlyMetrics(port: number | undefined): Promise<void> {
  const metricsUrl = `http://127.0.0.1:${port}`;
  const response = await fetch(`${metricsUrl}/metrics`);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await response.text()).toContain('peerdeck_agent_router_up{node="syd01"} 1\n');
  for (const [method, path] of [
    ["GET", "/v1/facts"],
    ["POST", "/metrics"],
  ] as const) {
    const refused = await fetch(metricsUrl + path, { method });
    expect([refused.status, await refused.text()]).toEqual([404, "Only GET /metrics is served here.\n"]);
  }
}

let runs = 0;

/** Runs the program in this process until it ends. Returns its exit code and what it printed. */
async function runMain(args: readonly string[], config?: string) {
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    vi.spyOn(process[name], "write").mockImplementation((chunk) => (printed[name] += String(chunk)) !== "");
  vi.stubEnv("PEERDECK_AGENT_CONFIG", config);
  const { argv, exitCode } = process;
  try {
    process.argv = [process.execPath, "main.ts", ...args];
    runs += 1;
    await import(`${pathToFileURL(join(repository, "src/agent/main.ts")).href}?${runs}`);
    return { code: process.exitCode, ...printed };
  } finally {
    Object.assign(process, { argv, exitCode });
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

test("an invalid configuration prevents startup and names the line", async () => {
  const config = await host.configure('resolver = "tea leaves"');
  expect(await runMain([], config)).toEqual({
    code: 1,
    stdout: "",
    stderr: `${config}:7: resolver must be "system" or "simulated", found "tea leaves".\n`,
  });
});

const done = (stdout: RegExp) => ({ code: 0, stdout: expect.stringMatching(stdout), stderr: "" });

test.each([
  ["192.0.2.1:4243", "192.0.2.1 is not an address of this machine"],
  ["PORT", "another program listens there"],
])("an agent that cannot listen on %s says why", async (listen, reason) => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const address = listen.replace("PORT", `127.0.0.1:${(other.address() as AddressInfo).port}`);
  const config = await host.configure();
  await writeFile(config, (await readFile(config, "utf8")).replace("127.0.0.1:0", address));
  expect(await readText(host.start(config).stderr)).toBe(
    `The agent cannot listen on ${address}: ${reason}. Correct listen in its configuration.\n`,
  );
});

test("pause and resume say what they did, also again, and keep the owner of the state", async () => {
  const config = await host.configure();
  expect(await runMain(["pause"], config)).toEqual({
    code: 1,
    stdout: "",
    stderr: "This agent simulates its router, which never drifts. Nothing was changed.\n",
  });
  await writeFile(config, (await readFile(config, "utf8")).replace('"simulated"', '"linux"'));
  const state = join(host.folder, "state");
  expect(await runMain(["pause"], config)).toMatchObject({
    code: 1,
    stderr: `${state}, the state_dir in agent.toml, does not exist. Run peerdeck-agent join first, or start the agent once.\n`,
  });
  await mkdir(state, { mode: 0o700 });
  if (process.getuid?.() === 0) {
    await chmod(host.folder, 0o755);
    await chown(state, 65_534, 65_534);
  }
  expect(await runMain(["resume"], config)).toEqual(
    done(/^Repairs were not paused\. Nothing was changed\.\n$/),
  );
  expect(await runMain(["pause"], config)).toEqual(
    done(/^Repairs are paused within ten seconds\.[^]*peerdeck-agent resume\n$/),
  );
  const files = await readdir(state);
  expect(files).toHaveLength(1);
  const { uid, mtimeMs } = await stat(join(state, files[0] ?? ""));
  expect(uid).toBe((await stat(state)).uid);
  expect(await runMain(["pause"], config)).toEqual(
    done(/^Repairs were already paused, \d+ s ago\. Nothing was changed\.[^]*peerdeck-agent resume\n$/),
  );
  expect((await stat(join(state, files[0] ?? ""))).mtimeMs).toBe(mtimeMs);
  expect(await runMain(["resume"], config)).toEqual(done(/^Repairs are resumed\./));
  expect(await readdir(state)).toEqual([]);
  expect(await runMain(["pause", "now"], config)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^pause takes no arguments\. Nothing was changed\.\n\nThe agent/),
  });
  expect(await runMain(["resume"], `${config}.missing`)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be read \(ENOENT\)\. PEERDECK_AGENT_CONFIG must name/),
  });
});

test("accept-server stores an address that the running agent accepts, unless agent.toml names the servers", async () => {
  const config = await host.configure();
  const accept = (...args: readonly string[]) => runMain(["accept-server", ...args], config);
  expect(await accept("--help")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Accepts /) });
  for (const args of [[], ["192.0.2.77", "192.0.2.78"]])
    expect(await accept(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^accept-server takes one address\. Nothing was changed\./),
    });
  for (const given of ["192.0.2.0/24", "../state.json", "server.example.net"])
    expect(await accept(given)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${given} is not an IPv4 or IPv6 address.`),
    });
  expect(await accept("192.0.2.77")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/state, the state_dir in agent\.toml, does not exist\./),
  });
  const agent = host.start(config);
  const { port, fingerprint } = await waitUntilListening(agent);
  await using transport = host.connect(port, fingerprint);
  const call = createCaller(withProtocol(transport));
  const tell = (version: string, ...servers: readonly string[]) =>
    call(agentCalls.setOtherNodes, {
      nodes: [],
      changed: [],
      strictSource: false,
      provider: { version, endpoints: [], servers: [...servers] },
    });
  await tell("1", "192.0.2.10");
  const accepted = () => readdir(join(host.folder, "state/accepted-servers"));
  expect(await accept("::ffff:192.0.2.77")).toEqual(
    done(/^Servers can connect from 192\.0\.2\.77 within ten seconds/),
  );
  expect(await accept("192.0.2.77")).toEqual(
    done(/^192\.0\.2\.77 was accepted before\. Nothing was changed\.\n$/),
  );
  for await (const line of createInterface(agent.stdout)) if (line.includes("192.0.2.77")) break;
  expect(await accepted()).toEqual(["192.0.2.77"]);
  await tell("2", "192.0.2.0/24");
  expect(await accepted()).toEqual([]);
  const named = await host.configure('server_addresses = ["192.0.2.10"]');
  expect(await accept("2001:DB8::77")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`server_addresses in ${named} says alone`),
  });
  expect(await accepted()).toEqual([]);
});

const help = /^The agent of a Peerdeck node\.[^]*\/etc\/peerdeck\/agent\.toml/;

test.each([
  {
    args: [],
    code: 1,
    stderr: /^PEERDECK_AGENT_CONFIG does not name a configuration\.\n\nThe agent of a Peerdeck node\./,
  },
  ...["help", "--help", "-h"].map((word) => ({ args: [word], code: 0, stdout: help })),
  {
    args: ["restart"],
    code: 2,
    stderr: /^There is no command restart\.\n\nThe agent of a Peerdeck node\./,
  },
])("the arguments $args without a configuration end with $code", async ({ args, ...expected }) => {
  const { code, stdout = /^$/, stderr = /^$/ } = { stdout: undefined, stderr: undefined, ...expected };
  expect(await runMain(args)).toEqual({
    code,
    stdout: expect.stringMatching(stdout),
    stderr: expect.stringMatching(stderr),
  });
});
