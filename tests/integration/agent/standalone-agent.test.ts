import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentCalls, type Peering } from "#contract/agent.ts";
import { createCaller } from "#contract/client.ts";
import { openIdentity } from "#mtls/tls-identity.ts";
import { repository } from "../../support/repository.ts";
import {
  type AgentHost,
  asn,
  createAgentHost,
  desired,
  logUntilListening,
  sender,
  waitUntilListening,
} from "./agent-host.ts";
import { withProtocol } from "#contract/agent/agent-protocol.ts";

let host: AgentHost;
beforeEach(async () => {
  host = await createAgentHost();
});
afterEach(() => host[Symbol.asyncDispose]());

test("serves pinned clients, stops cleanly, and keeps its identity and peerings across a restart", async () => {
  const config = await host.configure();
  const first = host.start(config);
  const { port, fingerprint } = await waitUntilListening(first);
  {
    await using transport = host.connect(port, fingerprint);
    const call = createCaller(withProtocol(transport));
    expect(await call(agentCalls.facts, undefined)).toMatchObject({ node: "syd01", simulation: true });
    expect(await call(agentCalls.apply, { ...sender, asn, generation: 1, desired })).toMatchObject({
      outcome: "applied",
    });
    await expect(
      createCaller(withProtocol(transport, 2))(agentCalls.apply, {
        ...sender,
        asn,
        generation: 2,
        desired: null,
      }),
    ).rejects.toThrow("the agent speaks protocol 1, the server 2");
    expect(await call(agentCalls.observe, undefined)).toMatchObject([{ asn }]);
    const unknownClient = await openIdentity(join(host.folder, "stranger"), "stranger");
    await using refused = host.connect(port, fingerprint, unknownClient);
    await expect(createCaller(withProtocol(refused))(agentCalls.facts, undefined)).rejects.toThrow(
      /hang up|ECONNRESET/,
    );
  }
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

test("restarts with one complete generation after a kill during an apply", async () => {
  const config = await host.configure();
  let generation = 0;
  let wasInterrupted = false;
  // On a busy machine an apply may end before the kill. The next one is then tried.
  while (!wasInterrupted) {
    generation += 1;
    const agent = host.start(config);
    const { port, fingerprint } = await waitUntilListening(agent);
    const ended = once(agent, "exit");
    await using transport = host.connect(port, fingerprint);
    const call = createCaller(withProtocol(transport));
    const error = call(agentCalls.apply, { ...sender, asn, generation, desired: desiredAt(generation) }).then(
      () => null,
      String,
    );
    await call(agentCalls.facts, undefined);
    agent.kill("SIGKILL");
    await ended;
    wasInterrupted = (await error) !== null;
    if (wasInterrupted) expect(await error).toContain("socket hang up");
  }

  const restarted = await waitUntilListening(host.start(config));
  await using later = host.connect(restarted.port, restarted.fingerprint);
  const call = createCaller(withProtocol(later));
  expect(await call(agentCalls.generations, undefined)).toEqual(
    generation === 1 ? [] : [{ asn, generation: generation - 1, present: true, database: sender.database }],
  );
  expect(
    await call(agentCalls.apply, { ...sender, asn, generation, desired: desiredAt(generation) }),
  ).toMatchObject({
    outcome: "applied",
  });
});

/** Another endpoint port for each generation, so that each apply changes something. */
function desiredAt(generation: number): Peering {
  return { ...desired, endpointPort: 51_820 + generation };
}

test("an invalid configuration prevents startup and names the line", async () => {
  const config = await host.configure('resolver = "tea leaves"');
  const child = host.start(config);
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  expect(await once(child, "close")).toEqual([1, null]);
  expect(stderr).toBe(`${config}:7: resolver must be "system" or "simulated", found "tea leaves".\n`);
});

test("metrics have their own listener, which serves nothing else", async () => {
  const child = host.start(await host.configure('metrics_listen = "127.0.0.1:0"'));
  const entries = await logUntilListening(child);
  const { port = 0, fingerprint = "" } = entries.at(-1) ?? {};
  const metricsUrl = `http://127.0.0.1:${entries.find(({ msg }) => msg === "metrics server listening")?.port}`;
  const response = await fetch(`${metricsUrl}/metrics`);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await response.text()).toContain('peerdeck_agent_router_up{node="syd01"} 1\n');
  for (const [method, path] of [
    ["POST", "/v1/apply"],
    ["GET", "/v1/facts"],
    ["POST", "/metrics"],
    ["GET", "/"],
  ] as const) {
    const refused = await fetch(metricsUrl + path, { method });
    expect([refused.status, await refused.text()]).toEqual([404, "Only GET /metrics is served here.\n"]);
  }
  await using transport = host.connect(port, fingerprint);
  const request = { method: "GET", path: "/metrics", headers: {}, body: null, signal: undefined } as const;
  expect((await withProtocol(transport)(request)).status).toBe(404);
});

test("a second agent on the same state folder exits with an error until the first one has ended", async () => {
  const config = await host.configure();
  const first = host.start(config);
  await waitUntilListening(first);
  const second = host.start(config);
  let stderr = "";
  second.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  expect(await once(second, "close")).toEqual([1, null]);
  expect(stderr).toMatch(/^Another agent is running on .*\/state\. This one exits without changes; /);
  first.kill("SIGKILL");
  await once(first, "exit");
  await waitUntilListening(host.start(config));
});

test.each([
  [[], 1, /^PEERDECK_AGENT_CONFIG does not name a configuration\.\n\nThe agent of a Peerdeck node\./, ""],
  [["--help"], 0, "", /^The agent of a Peerdeck node\.[^]*\/etc\/peerdeck\/agent\.toml/],
  [["-h"], 0, "", /^The agent of a Peerdeck node\./],
  [["help"], 0, "", /^The agent of a Peerdeck node\./],
  [["restart"], 2, /^There is no command restart\.\n\nThe agent of a Peerdeck node\./, ""],
])("the arguments %j without a configuration end with %i", async (args, code, stderrText, stdoutText) => {
  const child = spawn(process.execPath, [join(repository, "src/agent/main.ts"), ...args], { env: {} });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  expect(await once(child, "close")).toEqual([code, null]);
  for (const [text, expected] of [
    [stdout, stdoutText],
    [stderr, stderrText],
  ] as const)
    expect(text).toEqual(expected === "" ? "" : expect.stringMatching(expected));
});
