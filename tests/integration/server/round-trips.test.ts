/** Round trips from the nodes to the endpoint of a participant, with nodes that measure what the test says. */
import { expect, onTestFinished, test } from "vitest";
import { agentCalls } from "#contract/agent.ts";
import type { Transport } from "#contract/client.ts";
import { calls } from "#contract/calls.ts";
import { describeWithDatabase, type TestDatabase } from "../../support/databases.ts";
import { demoServer } from "./demo-server.ts";
import { type Participant, peerUpdate, setNodeMode, signUp, waitForTask } from "./participant.ts";
import { profileServer } from "./profile-server.ts";
import { agentResponse } from "../../support/agent-response.ts";

const nodes = ["syd01", "per01", "sin01", "de01", "ny01", "za01"];

/** What a node responds: milliseconds, null without a reply, a status, or nothing at all. */
type Measured = number | null | { readonly status: number } | "silence" | Promise<number>;

async function openScene(database: TestDatabase, measured: Readonly<Record<string, Measured>>) {
  const requests: string[] = [];
  const respond = async (node: string): Promise<Awaited<ReturnType<Transport>>> => {
    const found = measured[node] ?? null;
    if (found === "silence") return new Promise<never>(() => undefined);
    if (typeof found === "object" && found !== null && "status" in found)
      return agentResponse({ message: "The node has no such call." }, found.status);
    const latencyMs = await found;
    return agentResponse({ latencyMs });
  };
  const server = await profileServer(
    {},
    {
      withOutbox: true,
      ...(database.kind === "postgres" && { databaseUrl: database.url }),
      through: (agent, node) => (request) => {
        if (request.path !== agentCalls.roundTrip.path) return agent(request);
        requests.push(`${node} ${request.body}`);
        return respond(node);
      },
    },
  );
  onTestFinished(() => server[Symbol.asyncDispose]());
  const participant = await signUp(server.url, "4242420001");
  return { participant, url: server.url, requests };
}

async function deploy(participant: Participant, node: string, host: string): Promise<void> {
  const { asn: username, call } = participant;
  const public_key = Buffer.alloc(32, `${node} key`).toString("base64");
  const update = peerUpdate({ node, remote_ip: host, public_key });
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, update]);
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
}

const read = ({ asn: username, call }: Participant) => call(calls.getEndpointRoundTrips, { username });

describeWithDatabase("round trips to an endpoint", (openTestDatabase) => {
  test("are those to the host that most peerings have, from every node in the profile's order", async () => {
    const { participant, requests } = await openScene(await openTestDatabase(), {
      syd01: 271.345,
      per01: 0,
      sin01: null,
      de01: 11.04,
      ny01: { status: 404 },
      za01: { status: 503 },
    });
    expect(await read(participant)).toEqual({ endpoint: "", nodes: [] });
    expect(requests).toEqual([]);
    await deploy(participant, "syd01", "198.51.100.7");
    await deploy(participant, "sin01", "198.51.100.7");
    await deploy(participant, "per01", "router.example.org");
    const measured = {
      endpoint: "198.51.100.7",
      nodes: [
        { node: "syd01", latency: 271.3 },
        { node: "per01", latency: 0 },
        { node: "sin01", latency: null },
        { node: "de01", latency: 11 },
        { node: "ny01", latency: null },
        { node: "za01", latency: null },
      ],
    };
    expect(await Promise.all([read(participant), read(participant)])).toEqual([measured, measured]);
    expect(await read(participant)).toEqual(measured);
    expect(requests).toEqual(nodes.map((node) => `${node} {"host":"198.51.100.7"}`));
    // Two hosts with two peerings each.
    await deploy(participant, "de01", "router.example.org");
    expect(await read(participant)).toMatchObject({ endpoint: "router.example.org" });
    expect(requests).toHaveLength(2 * nodes.length);
  });

  test("of a node that hangs are null after 0.8 s; a late one is in the next response", async () => {
    const late = Promise.withResolvers<number>();
    const { participant, requests } = await openScene(await openTestDatabase(), {
      syd01: 20,
      per01: "silence",
      sin01: late.promise,
    });
    await deploy(participant, "syd01", "198.51.100.7");
    const latencies = async () => {
      const startedAt = performance.now();
      const response = await read(participant);
      const duration = performance.now() - startedAt;
      expect(duration).toBeGreaterThan(750);
      expect(duration).toBeLessThan(2_000);
      return response.nodes.slice(0, 3).map(({ latency }) => latency);
    };
    expect(await latencies()).toEqual([20, null, null]);
    late.resolve(163.64);
    expect(await latencies()).toEqual([20, null, 163.6]);
    expect(requests).toHaveLength(nodes.length);
  });

  test("to ever new hosts are measured ten times in ten minutes", async () => {
    const { participant, requests } = await openScene(await openTestDatabase(), { syd01: 20 });
    for (let index = 1; index <= 10; index += 1) {
      await deploy(participant, "syd01", `198.51.100.${index}`);
      expect(await read(participant)).toMatchObject({ endpoint: `198.51.100.${index}` });
    }
    expect(await read(participant)).toMatchObject({ endpoint: "198.51.100.10" });
    await deploy(participant, "syd01", "198.51.100.11");
    await expect(read(participant)).rejects.toMatchObject({
      status: 429,
      body: {
        message: expect.stringMatching(
          /^Too many measurements\. Nothing was changed; wait \d+ minutes and try again\.$/,
        ),
      },
    });
    expect(requests).toHaveLength(10 * nodes.length);
  });
});

test("are measured by the demo's nodes, except by one that is offline", async () => {
  const server = await demoServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const participant = await signUp(server.url, "4242420001");
  await deploy(participant, "syd01", "router.example.org");
  await setNodeMode(server.url, "za01", "offline");
  const { endpoint, nodes: measured } = await read(participant);
  expect(endpoint).toBe("router.example.org");
  expect(measured.filter(({ latency }) => latency === null)).toEqual([{ node: "za01", latency: null }]);
});
