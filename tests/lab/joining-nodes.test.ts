/** Nodes join by a line, on real routers; and a server that moves. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addNode, createJoinLine, runAgentCommand, runServerCommand } from "../../src/lab/add-node.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { startProgram } from "../../src/lab/hosts/program.ts";
import { type RunningLab, startLab } from "../../src/lab/lab.ts";
import { findNodePlan, type NodePlan, provider } from "../../src/lab/network.ts";
import { openIdentity } from "../../src/mtls/tls-identity.ts";
import { startPing } from "./continuous-ping.ts";
import { eventually } from "./eventually.ts";

const [syd01, per01, sin01, de01] = [
  findNodePlan("syd01"),
  findNodePlan("per01"),
  findNodePlan("sin01"),
  findNodePlan("de01"),
];

let lab: RunningLab;
const hosts = new Map<string, LabHost>();

beforeAll(async () => {
  lab = await startLab({ port: 0, nodes: [syd01, per01], participants: [], onMail: () => undefined });
  for (const { name } of [syd01, per01]) hosts.set(name, host(name));
});
afterAll(() => lab[Symbol.asyncDispose]());

function host(name: string): LabHost {
  const found = hosts.get(name) ?? lab.hosts.get(name);
  if (!found) throw new Error(`the lab has no host ${name}`);
  return found;
}

const start = async (plan: NodePlan) => hosts.set(plan.name, await lab.startNode(plan));
const list = async () => JSON.parse(await runServerCommand(lab.server, "nodes", "list", "--json")) as unknown;
const readStored = async (name: string) => {
  const stored = await readFile(path.join(host(name).folder, "state/other-nodes.json"), "utf8");
  return JSON.parse(stored) as { provider?: { endpoints: readonly string[]; servers: readonly string[] } };
};

/** Resolves when the server reaches the agents of all nodes. */
const reachAll = () =>
  eventually(
    () => runServerCommand(lab.server, "recover").catch(String),
    (output) => !/could not be reached|did not respond|refused/.test(output),
  );

test("a node behind a relay that terminates TLS is refused with the reason, and joins without it", async () => {
  await start(sin01);
  const relay = host("provider");
  await openIdentity(path.join(relay.folder, "relay"), "relay");
  const pem = path.join(relay.folder, "relay/identity.pem");
  const running = await startProgram(relay, "tests/lab/tls-relay.ts", {
    args: [pem, "5555", `${sin01.publicIp}:4243`],
    log: "relay.log",
    ready: "listening",
  });
  const line = await createJoinLine(lab.server, sin01);
  const refusal = await runAgentCommand(
    host("sin01"),
    "join",
    line,
    "--agent-url",
    `https://${provider.publicIp}:5555`,
  ).then(() => "it has joined", String);
  await running.stop();
  expect(refusal).toContain("certificate");
  expect(JSON.stringify(await list())).not.toContain('"name":"sin01"');
  expect(await runAgentCommand(host("sin01"), "join", line)).toContain("sin01 has joined.");
});

test("a fourth joins while packets flow between the first three: none is lost, and no file is edited", async () => {
  await start(de01);
  await eventually(
    () => host("per01").run("ping", "-c1", "-W1", sin01.ipv4).catch(String),
    (output) => output.includes(" 0% packet loss"),
  );
  const readConfigs = () =>
    Promise.all(
      [syd01, per01, sin01].map(({ name }) => readFile(path.join(host(name).folder, "agent.toml"), "utf8")),
    );
  const before = await readConfigs();
  const stopPing = startPing(host("per01"), sin01.ipv4);
  await addNode(lab.server, de01, host("de01"));
  for (const { name } of [syd01, per01, sin01])
    await eventually(
      () => readStored(name),
      (stored) => stored.provider?.endpoints.includes(de01.publicIp) === true,
    );
  const { sent, received } = await stopPing();
  expect(sent).toBeGreaterThan(20);
  expect(received).toBe(sent);
  expect(await readConfigs()).toEqual(before);
});

test("agents follow a server that gets another address while they reach it, and one that has moved by a line", async () => {
  const server = host("provider");
  await server.run("ip", "address", "add", "192.0.2.20/24", "dev", "eth0");
  for (const { name } of [syd01, per01, sin01, de01])
    await eventually(
      () => readStored(name),
      (stored) => stored.provider?.servers.includes("192.0.2.20/32") === true,
    );
  await server.run("ip", "address", "delete", `${provider.publicIp}/24`, "dev", "eth0");
  // The address that was a secondary one may have gone with it.
  await server.run("ip", "address", "replace", "192.0.2.20/24", "dev", "eth0");
  await reachAll();

  await server.run("sh", "-c", "ip address flush dev eth0 && ip address add 192.0.2.21/24 dev eth0");
  const connect = `timeout 2 bash -c "exec 3<>/dev/tcp/${syd01.publicIp}/4243" 2>/dev/null || echo dropped`;
  expect(await server.run("bash", "-c", connect)).toBe("dropped\n");
  for (const { name } of [syd01, per01, sin01, de01]) {
    await runAgentCommand(host(name), "accept-server", "192.0.2.21");
  }
  await reachAll();
});
