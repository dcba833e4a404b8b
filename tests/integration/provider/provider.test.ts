/** A provider's installation in real processes. Only the routers are simulated. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { createPasswordHasher } from "#server/features/accounts/passwords.ts";
import { readVersion } from "#server/config/version.ts";
import { caller, waitForTask, type Participant, peerUpdate, logIn } from "../server/participant.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { Program } from "./program.ts";
import { type Provider, type ServerProcess, setUpProvider } from "./provider.ts";

const asn = "4242420001";
const password = "a sentence for the tests";
let provider: Provider;
let server: ServerProcess;
let syd01: Program;
let per01: Program;
let participant: Participant;

beforeAll(async () => {
  // The profile pins another certificate for eve01 than its agent has.
  provider = await setUpProvider(["syd01", "per01", "eve01"], { pinned: { eve01: "ab".repeat(32) } });
  [syd01, per01] = await Promise.all([
    provider.startAgentProcess("syd01"),
    provider.startAgentProcess("per01"),
    provider.startAgent("eve01"),
  ]);
  server = await provider.startServerProcess({ LOG_LEVEL: "trace" });
});
afterAll(() => provider[Symbol.asyncDispose]());

const submit = (node: string, changes: Partial<ReturnType<typeof peerUpdate>> = {}) =>
  participant.call(calls.updatePeerConfig, [{ username: asn }, peerUpdate({ node, ...changes })]);
const waitingFor = async (taskID: string) =>
  (await participant.call(calls.getTaskStatus, { username: asn, taskID })).reason;

test("a participant registers by mail, logs in and gets a peering that runs on the node", async () => {
  const anonymous = caller(server.url);
  await anonymous(calls.sendEmailVerification, { asn });
  await server.program.logged("mail delivered");
  expect(provider.mail.received).toContain("RCPT TO:<ada@example.org>");
  const [, token = ""] =
    /http:\/\/peering\.example\.net\/setPassword\?token=([\w-]{43})/.exec(provider.mail.text()) ?? [];
  await anonymous(calls.setPassword, { token, password });
  participant = await logIn(server.url, asn, password);
  // The other tests of whole servers hash passwords fast. Without an option the hash is the real one.
  const stored = readPasswordHash();
  expect(stored).toContain("$m=19456,t=2,p=1$");
  expect(await createPasswordHasher().verify(password, stored, ["client"])).toBe(true);

  for (const node of ["syd01", "per01"]) {
    expect(await waitForTask(participant, (await submit(node)).taskID)).toMatchObject({
      status: "success",
      node,
    });
  }
  const details = await participant.call(calls.getPeerDetails, { username: asn, node: "per01" });
  expect(details["per01"]?.wg_details.output).toContain("198.51.100.7:51820");
  expect(await provider.readPeerings("per01")).toMatchObject([{ asn }]);

  const log = JSON.stringify(server.program.log);
  expect(log).toContain('"request"');
  for (const secret of [token, password, participant.cookie.split("=")[1] ?? token]) {
    expect(log).not.toContain(secret);
  }
});

test("an agent with another certificate than the pinned one receives nothing", async () => {
  const { taskID } = await submit("eve01");
  await expect.poll(() => waitingFor(taskID)).toBe("eve01.example.net cannot be reached. Trying again…");
  await expect(provider.readPeerings("eve01")).rejects.toThrow("ENOENT");
  const status = await participant.call(calls.getNodeStatus, { username: asn, node: "eve01" });
  expect(status.results).toMatchObject({
    status: "Down",
    known: false,
    issues: ["eve01.example.net cannot be reached: its certificate is not the one that the server pins."],
  });
  const expected = "AB:AB:AB:AB…";
  const fingerprint = provider.agents.find(({ node }) => node === "eve01")?.fingerprint ?? "";
  const message = "eve01 cannot be reached: its certificate is not the one that the server pins.";
  expect(server.program.log.filter(({ msg }) => String(msg).startsWith("eve01 cannot"))).toMatchObject([
    { node: "eve01", expected, presented: `${fingerprint.slice(0, 11)}…`, msg: message },
  ]);
  const health = await (await fetch(`${server.url}/healthz`)).text();
  expect(health).toBe(
    "issues\neve01.example.net cannot be reached: its certificate is not the one that the server pins.\n",
  );
  const metrics = await (await fetch(server.metricsUrl)).text();
  expect(metrics).toContain('peerdeck_node_reachable{node="eve01"} 0\n');
  const version = readVersion();
  expect(await server.program.logged("the server is listening")).toMatchObject({ version });
  // The agent without the pinned certificate is not in it.
  expect(metrics.match(/^peerdeck_agent_info.*$/gm)).toEqual(
    ["syd01", "per01"].map((node) => `peerdeck_agent_info{node="${node}",version="${version}"} 1`),
  );
});

test("the metrics are on a port of their own, on this machine, and nothing else is", async () => {
  expect(await server.program.logged("metrics server listening")).toMatchObject({ address: "127.0.0.1" });
  for (const url of [`${server.url}/metrics`, server.metricsUrl.replace("/metrics", "/healthz")]) {
    const response = await fetch(url);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("peerdeck_");
  }
});

test("an agent that is killed during an apply has the complete new generation after a restart", async () => {
  await syd01.end("SIGTERM");
  // Slow enough to be killed during the apply.
  syd01 = await provider.startAgentProcess("syd01", { DEMO_TIME_SCALE: "2" });
  let before = 51_820;
  let port = 2001;
  let { taskID } = await submit("syd01", { remote_port: String(port) });
  await syd01.end("SIGKILL");
  // On a busy machine an apply may end before the kill. The next one is then tried.
  while (await hasFinished(taskID)) {
    syd01 = await provider.startAgentProcess("syd01");
    before = port;
    port += 1;
    ({ taskID } = await submit("syd01", { remote_port: String(port) }));
    await syd01.end("SIGKILL");
  }
  expect(await runningPorts("syd01")).toEqual([before]);
  syd01 = await provider.startAgentProcess("syd01");
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  expect(await runningPorts("syd01")).toEqual([port]);
});

/** Waits until a deployment has succeeded or waits for its node, and returns which. */
async function hasFinished(taskID: string): Promise<boolean> {
  const waiting = "syd01.example.net cannot be reached. Trying again…";
  return waitFor(async () => {
    const { status, reason } = await participant.call(calls.getTaskStatus, { username: asn, taskID });
    expect(status === "waiting" ? reason : status).toBeOneOf([waiting, "success"]);
    return status === "success";
  });
}

test("a server stops during a deployment, and finishes it after the next start", async () => {
  // The deployment waits for the agent's response.
  per01.freeze();
  const { taskID } = await submit("per01", { remote_port: "2002" });
  const called = "Called per01.example.net to deploy the peering";
  const readTask = () => participant.call(calls.getTaskStatus, { username: asn, taskID });
  await expect.poll(async () => (await readTask()).steps).toContain(`${called}.`);
  expect(await server.program.end("SIGTERM")).toEqual([0, null]);
  expect(finishedBy(server)).not.toContain(taskID);
  expect(server.program.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);

  per01.resume();
  server = await provider.startServerProcess();
  participant = { ...participant, call: caller(server.url, participant.cookie) };
  const ended = await waitForTask(participant, taskID);
  expect(ended.status).toBe("success");
  expect(ended.steps).toContain(`${called}, attempt 2.`);
  await expect.poll(() => finishedBy(server)).toContain(taskID);
  expect(await runningPorts("per01")).toEqual([2002]);
});

test("a second server on a folder says that it is in use, until the first one has died", async () => {
  expect(await provider.refuseStart()).toBe(
    `Another server is running on ${provider.serverDir}. This one exits without changes. Stop the other one first, set ` +
      "DATA_DIR to another folder, or use PostgreSQL (DATABASE_URL), which several servers can share.\n",
  );
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await server.program.end("SIGKILL");
});

test("a server stops while a node and the mail server hang", async () => {
  syd01.freeze();
  provider.mail.setReplies({ EHLO: null });
  server = await provider.startServerProcess();
  await caller(server.url)(calls.sendEmailVerification, { asn, password_reset: "Yes" });
  await expect.poll(() => provider.mail.received.at(-1)).toMatch(/^EHLO/);
  expect(await server.program.end("SIGTERM")).toEqual([0, null]);
  // If the server had waited for the timeouts of the node or the mail server, it would have logged their failures.
  expect(server.program.log.filter(({ level, node }) => Number(level) >= 40 && node !== "eve01")).toEqual([]);

  // The mail was neither lost nor counted as an attempt.
  provider.mail.setReplies({});
  server = await provider.startServerProcess();
  await server.program.logged("mail delivered");
});

function readPasswordHash(): string {
  using database = new DatabaseSync(join(provider.serverDir, "peerdeck.sqlite"), { readOnly: true });
  return String(database.prepare("SELECT password_hash FROM accounts").get()?.["password_hash"]);
}

/** Returns the tasks that a server has finished. */
function finishedBy({ program }: ServerProcess): readonly unknown[] {
  return program.log.filter(({ msg }) => msg === "deployment ended").map(({ task }) => task);
}

/** Returns the endpoint ports that the agent has confirmed. */
async function runningPorts(node: string): Promise<readonly unknown[]> {
  return (await provider.readPeerings(node)).map(({ routed }) => routed?.peering.endpointPort);
}
