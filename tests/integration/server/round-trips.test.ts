/** Round trips from the nodes to the endpoint of a participant, with nodes that measure what the test says. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentCalls } from "#contract/agent.ts";
import type { Transport } from "#contract/client.ts";
import { calls } from "#contract/calls.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { deployPeering, type Participant, signUp } from "./participant.ts";
import { type ProfileServer, profileServer } from "./profile-server.ts";
import { agentResponse } from "../../support/agent-response.ts";

const nodes = ["syd01", "per01", "sin01", "de01", "ny01", "za01"];

/** What a node responds: milliseconds, null without a reply, a status, or nothing at all. */
type Measured = number | null | { readonly status: number } | "silence" | Promise<number>;

function deploy(participant: Participant, node: string, remote_ip: string): Promise<void> {
  const public_key = Buffer.alloc(32, `${node} key of ${participant.asn}`).toString("base64");
  return deployPeering(participant, node, { remote_ip, public_key });
}

const read = ({ asn: username, call }: Participant) => call(calls.getEndpointRoundTrips, { username });

describeWithDatabase("round trips to an endpoint", { postgres: "campaigns" }, (openTestDatabase) => {
  let measured: Readonly<Record<string, Measured>> = {};
  let requests: string[] = [];
  let server: ProfileServer;
  let lastAsn = 4_242_420_000;

  async function respond(node: string): Promise<Awaited<ReturnType<Transport>>> {
    const found = measured[node] ?? null;
    if (found === "silence") return new Promise<never>(() => undefined);
    if (typeof found === "object" && found !== null && "status" in found)
      return agentResponse({ message: "The node has no such call." }, found.status);
    return agentResponse({ latencyMs: await found });
  }

  const through =
    (agent: Transport, node: string): Transport =>
    (request) => {
      if (request.path !== agentCalls.roundTrip.path) return agent(request);
      requests.push(`${node} ${request.body}`);
      return respond(node);
    };

  beforeAll(async () => {
    server = await profileServer({}, { at: await openTestDatabase(), through });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Signs up an AS that the server does not know yet, for nodes that measure this. */
  function signUpWith(next: typeof measured): Promise<Participant> {
    measured = next;
    requests = [];
    lastAsn += 1;
    return signUp(server.url, String(lastAsn));
  }

  test("are those to the host that most peerings have, from every node in the profile's order", async () => {
    const participant = await signUpWith({
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
    const expected = {
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
    expect(await Promise.all([read(participant), read(participant)])).toEqual([expected, expected]);
    expect(await read(participant)).toEqual(expected);
    expect(requests).toEqual(nodes.map((node) => `${node} {"host":"198.51.100.7"}`));
    // Two hosts with two peerings each.
    await deploy(participant, "de01", "router.example.org");
    expect(await read(participant)).toMatchObject({ endpoint: "router.example.org" });
    expect(requests).toHaveLength(2 * nodes.length);
  });

  test("of a node that hangs are null after 0.8 s; a late one is in the next response", async () => {
    const late = Promise.withResolvers<number>();
    const participant = await signUpWith({ syd01: 20, per01: "silence", sin01: late.promise });
    await deploy(participant, "syd01", "198.51.100.8");
    const latencies = async () => (await read(participant)).nodes.slice(0, 3).map(({ latency }) => latency);
    expect(await latencies()).toEqual([20, null, null]);
    late.resolve(163.64);
    expect(await latencies()).toEqual([20, null, 163.6]);
    expect(requests).toHaveLength(nodes.length);
  });

  test("to ever new hosts are measured ten times in ten minutes", async () => {
    const participant = await signUpWith({ syd01: 20 });
    for (let index = 1; index <= 10; index += 1) {
      await deploy(participant, "syd01", `203.0.113.${index}`);
      expect(await read(participant)).toMatchObject({ endpoint: `203.0.113.${index}` });
    }
    expect(await read(participant)).toMatchObject({ endpoint: "203.0.113.10" });
    await deploy(participant, "syd01", "203.0.113.11");
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
