/** The links between nodes agree with the nodes: a node that does not reply has no link that is up. */
import { expect, test } from "vitest";
import { createAgentClient } from "#server/agents/agent-client.ts";
import { createLinkReader, type Link, readLinks } from "#server/agents/node-links.ts";
import { agentResponse } from "../../support/agent-response.ts";

/** The ends and the status of each link. */
function describeLinks(links: readonly Link[]): Readonly<Record<string, string>> {
  return Object.fromEntries(links.map(({ from, to, status }) => [`${from} ${to}`, status]));
}

test("a link is down if one of its ends does not reply, and unknown if neither does", async () => {
  const offline = new Set<string>();
  const pairs = [
    ["de01", "ny01"],
    ["de01", "za01"],
    ["syd01", "za01"],
  ] as const;
  const agentOf = (node: string) => async () => {
    if (offline.has(node)) throw new Error("connection refused");
    const links = pairs.filter((pair) => pair.some((end) => end === node));
    const statusOf = (ends: readonly string[]) => (ends.some((end) => offline.has(end)) ? "down" : "up");
    return agentResponse(
      links.map((ends) => ({ from: ends[0], to: ends[1], status: statusOf(ends), latencyMs: null })),
    );
  };
  const nodes = ["de01", "ny01", "syd01", "za01"];
  const agents = createAgentClient(new Map(nodes.map((node) => [node, agentOf(node)])));
  const known = new Map<string, Link>();
  const read = async () => describeLinks(await readLinks(agents, known));
  expect(await read()).toEqual({ "de01 ny01": "up", "de01 za01": "up", "syd01 za01": "up" });
  offline.add("de01").add("ny01");
  expect(await read()).toEqual({ "de01 ny01": "unknown", "de01 za01": "down", "syd01 za01": "up" });
});

/** An agent that reports a link with this status and round trip. */
function reporting(from: string, to: string, status: string, latencyMs: number | null) {
  return async () => agentResponse([{ from, to, status, latencyMs }]);
}

test.each([
  ["unknown", null, "up", null, "up", null],
  ["up", null, "unknown", null, "up", null],
  ["unknown", null, "down", null, "down", null],
  ["down", null, "up", 20, "down", null],
  ["unknown", null, "unknown", null, "unknown", null],
  ["up", 10, "blocked", null, "blocked", null],
  ["blocked", null, "up", 10, "blocked", null],
  ["blocked", null, "unknown", null, "blocked", null],
  ["blocked", null, "down", null, "down", null],
  ["up", 10, "up", 20, "up", 15],
  ["up", 10, "up", null, "up", 10],
])(
  "a link that its ends report as %s with %j ms and %s with %j ms is %s with %j ms",
  async (here, hereMs, there, thereMs, status, latencyMs) => {
    const agents = createAgentClient(
      new Map([
        ["de01", reporting("de01", "ny01", here, hereMs)],
        ["ny01", reporting("ny01", "de01", there, thereMs)],
      ]),
    );
    expect(await readLinks(agents, new Map())).toEqual([{ from: "de01", to: "ny01", status, latencyMs }]);
  },
);

test("a node that does not respond does not delay the links of the others", async () => {
  let isSilent = false;
  const agents = createAgentClient(
    new Map([
      ["de01", reporting("de01", "ny01", "up", 10)],
      [
        "ny01",
        async () => (isSilent ? new Promise<never>(() => undefined) : reporting("ny01", "de01", "up", 20)()),
      ],
    ]),
  );
  const links = createLinkReader(agents, 0);
  await links.read();
  isSilent = true;
  expect(await links.readSoon()).toMatchObject([{ from: "de01", to: "ny01", latencyMs: 15 }]);
});
