/** The links on the map agree with the nodes: a node that does not reply has no link that is up. */
import { expect, onTestFinished, test } from "vitest";
import { calls } from "#contract/calls.ts";
import type { Connection } from "#contract/entities.ts";
import { createAgentClient } from "#server/agents/agent-client.ts";
import { readLinks as readNodeLinks } from "#server/agents/node-links.ts";
import { waitFor } from "../../support/wait-for.ts";
import { demoServer } from "./demo-server.ts";
import { setNodeMode } from "./participant.ts";
import { agentResponse } from "../../support/agent-response.ts";

/** The ends and the status of each link. */
function describeLinks(links: readonly Connection[]): Readonly<Record<string, string>> {
  return Object.fromEntries(links.map(({ from, to, status }) => [`${from} ${to}`, status]));
}

test("a link is down if one of its ends does not reply, and unknown if neither does", async () => {
  const server = await demoServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const readLinks = async () => {
    const response = await fetch(server.url + calls.mapVPNStatus.path);
    return describeLinks((await response.json()) as Connection[]);
  };
  const names = Object.keys(await readLinks());
  expect(names).toContain("de01 ny01");
  await setNodeMode(server.url, "de01", "offline");
  await setNodeMode(server.url, "ny01", "offline");
  // The server reads the links every five seconds.
  await waitFor(async () => {
    const links = await readLinks();
    expect(links["de01 ny01"]).toBe("unknown");
    expect(Object.keys(links).toSorted()).toEqual(names.toSorted());
    for (const name of names.filter((each) => each !== "de01 ny01")) {
      if (/de01|ny01/.test(name)) expect([name, links[name]]).toEqual([name, "down"]);
      else expect(links[name]).not.toBe("unknown");
    }
  });
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
