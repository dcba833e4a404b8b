/** A provider's installation in real processes: nothing of it is the demo's but the simulated routers. */
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "../../../src/contract/calls.ts";
import { caller, ended, type Participant, peerUpdate, signIn } from "../server/participant.ts";
import type { Program } from "./program.ts";
import { type Provider, type RunningProgram, setUpProvider } from "./provider.ts";

const asn = "4242420001";
const password = "a sentence for the tests";
let provider: Provider;
let server: RunningProgram;
let syd01: Program;
let participant: Participant;

beforeAll(async () => {
  // The profile expects somebody else at eve01 than who listens there.
  provider = await setUpProvider(["syd01", "per01", "eve01"], { eve01: "ab".repeat(32) });
  [syd01] = await Promise.all([
    provider.startAgent("syd01"),
    provider.startAgent("per01"),
    provider.startAgent("eve01"),
  ]);
  server = await provider.startServer({ LOG_LEVEL: "trace" });
});
afterAll(() => provider[Symbol.asyncDispose]());

const submit = (node: string, changes: Partial<ReturnType<typeof peerUpdate>> = {}) =>
  participant.call(calls.updatePeerConfig, [{ username: asn }, peerUpdate({ node, ...changes })]);
const waitingFor = async (taskID: string) =>
  (await participant.call(calls.getTaskStatus, { username: asn, taskID })).reason;

test("a participant registers by mail, signs in and gets a peering that runs on the node", async () => {
  const anonymous = caller(server.url);
  await anonymous(calls.sendEmailVerification, { asn });
  await server.program.logged("mail handed over");
  expect(provider.mail.said).toContain("RCPT TO:<ada@example.org>");
  const [, token = ""] =
    /http:\/\/peering\.example\.net\/setPassword\?token=([\w-]{43})/.exec(provider.mail.text()) ?? [];
  await anonymous(calls.setPassword, { token, password });
  participant = await signIn(server.url, asn, password);

  for (const node of ["syd01", "per01"]) {
    expect(await ended(participant, (await submit(node)).taskID)).toMatchObject({ status: "success", node });
  }
  const details = await participant.call(calls.getPeerDetails, { username: asn, node: "per01" });
  expect(details["per01"]?.wg_details.output).toContain("198.51.100.7:51820");
  const kept = JSON.parse(await readFile(stateOf("per01"), "utf8")) as { peerings: unknown[] };
  expect(kept.peerings).toMatchObject([{ asn }]);

  const everything = JSON.stringify(server.program.log);
  expect(everything).toContain('"request"');
  for (const secret of [token, password, participant.cookie.split("=")[1] ?? token]) {
    expect(everything).not.toContain(secret);
  }
});

test("an agent with another certificate than the pinned one is told nothing", async () => {
  const { taskID } = await submit("eve01");
  await expect.poll(() => waitingFor(taskID)).toBe("eve01 cannot be reached. Trying again…");
  await expect(access(stateOf("eve01"))).rejects.toThrow("ENOENT");
  const status = await participant.call(calls.getNodeStatus, { username: asn, node: "eve01" });
  expect(status.results).toMatchObject({ status: "Down", issues: ["eve01 cannot be reached."] });
});

test("an agent that is killed in an apply and started again ends with the whole of the new generation", async () => {
  const { taskID } = await submit("syd01", { remote_port: "2001" });
  await syd01.end("SIGKILL");
  await expect.poll(() => waitingFor(taskID)).toBe("syd01 cannot be reached. Trying again…");
  expect(await runningPorts("syd01")).toEqual([51_820]);
  syd01 = await provider.startAgent("syd01");
  expect(await ended(participant, taskID)).toMatchObject({ status: "success" });
  expect(await runningPorts("syd01")).toEqual([2001]);
});

test("a server that is told to stop in a deployment stops, and the next start ends the deployment", async () => {
  const { taskID } = await submit("per01", { remote_port: "2002" });
  expect(await server.program.end("SIGTERM")).toEqual([0, null]);
  expect(endedBy(server)).not.toContain(taskID);
  expect(server.program.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);

  server = await provider.startServer();
  participant = { ...participant, call: caller(server.url, participant.cookie) };
  expect(await ended(participant, taskID)).toMatchObject({ status: "success" });
  expect(endedBy(server)).toContain(taskID);
  expect(await runningPorts("per01")).toEqual([2002]);
});

// Without a word from either, their own limits would end after ten seconds and twenty.
test(
  "a node and a mail server that hang do not keep the server from stopping",
  { timeout: 9_000 },
  async () => {
    await server.program.end("SIGTERM");
    syd01.freeze();
    provider.mail.answer({ EHLO: null });
    server = await provider.startServer();
    await caller(server.url)(calls.sendEmailVerification, { asn, password_reset: "Yes" });
    await expect.poll(() => provider.mail.said.at(-1)).toMatch(/^EHLO/);
    expect(await server.program.end("SIGTERM")).toEqual([0, null]);
    expect(server.program.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);

    // The mail was neither lost nor counted as an attempt.
    provider.mail.answer({});
    server = await provider.startServer();
    await server.program.logged("mail handed over");
  },
);

/** The tasks that a server has ended. */
function endedBy({ program }: RunningProgram): readonly unknown[] {
  return program.log.filter(({ msg }) => msg === "deployment ended").map(({ task }) => task);
}

function stateOf(node: string): string {
  const stateDir = provider.agents.find((agent) => agent.node === node)?.stateDir ?? "";
  return join(stateDir, "state.json");
}

/** The endpoint ports that the agent has confirmed. */
async function runningPorts(node: string): Promise<readonly number[]> {
  const kept = JSON.parse(await readFile(stateOf(node), "utf8")) as {
    readonly peerings: ReadonlyArray<{
      readonly routed: { readonly peering: { readonly endpointPort: number } };
    }>;
  };
  return kept.peerings.map(({ routed }) => routed.peering.endpointPort);
}
