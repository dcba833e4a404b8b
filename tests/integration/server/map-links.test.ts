/** The links on the map agree with the nodes: a node that does not reply has no link that is up. */
import { expect, test } from "vitest";
import type { Connection } from "#contract/entities.ts";
import { createAgentClient } from "#server/agents/agent-client.ts";
import { type Link, readLinks as readNodeLinks } from "#server/agents/node-links.ts";
import { agentResponse } from "../../support/agent-response.ts";

/** The ends and the status of each link. */
function describeLinks(links: readonly Connection[]): Readonly<Record<string, string>> {
  return Object.fromEntries(links.map(({ from, to, status }) => [`${from} ${to}`, status]));
}

test("a link is down if one of its ends does not reply, and unknown if neither does", async () => {
  const offline = new Set<string>();
  const pairs = [
    ["de01", "ny01"],
    ["de01", "za01"],
    ["syd01", "za01"],
  ] as const;
  const agents = createAgentClient(
    new Map(
      ["de01", "ny01", "syd01", "za01"].map((node) => [
        node,
        async () => {
          if (offline.has(node)) throw new Error("connection refused");
          const links = pairs.filter((pair) => pair.some((end) => end === node));
          const statusOf = (ends: readonly string[]) =>
            ends.some((end) => offline.has(end)) ? "down" : "up";
          return agentResponse(
            links.map((ends) => ({ from: ends[0], to: ends[1], status: statusOf(ends), latencyMs: null })),
          );
        },
      ]),
    ),
  );
  const known = new Map<string, Link>();
  const read = async () => describeLinks(await readNodeLinks(agents, known));
  expect(await read()).toEqual({ "de01 ny01": "up", "de01 za01": "up", "syd01 za01": "up" });
  offline.add("de01").add("ny01");
  expect(await read()).toEqual({ "de01 ny01": "unknown", "de01 za01": "down", "syd01 za01": "up" });
});

/** An agent that reports this link. */
const reporting = (link: Connection) => async () => agentResponse([{ ...link, latencyMs: null }]);

test.each([
  ["unknown", "up", "up"],
  ["up", "unknown", "up"],
  ["unknown", "down", "down"],
  ["down", "up", "down"],
  ["unknown", "unknown", "unknown"],
])("a link that its ends report as %s and %s is %s", async (one, two, status) => {
  const agents = createAgentClient(
    new Map([
      ["de01", reporting({ from: "de01", to: "ny01", status: one })],
      ["ny01", reporting({ from: "ny01", to: "de01", status: two })],
    ]),
  );
  expect(await readNodeLinks(agents, new Map())).toEqual([
    { from: "de01", to: "ny01", status, latencyMs: null },
  ]);
});
