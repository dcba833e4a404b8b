/** The steps that an agent returns while it changes WireGuard and BIRD. */
import { expect, test } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import type { CodedFacts } from "../../src/contract/agent/findings.ts";
import type { Step } from "../../src/domain/findings/steps.ts";
import { openInternet } from "../../src/lab/hosts/namespaces.ts";
import { startAgent } from "./lab-agent.ts";
import { startNodeBird } from "./lab-node.ts";

const wrote: Step = { code: "files-written", facts: {} };
const tunnel: Step = {
  code: "tunnel-created",
  facts: { port: 20_001, endpoint: "198.51.100.1:51820" },
};
const loaded: readonly Step[] = [
  { code: "bird-loaded", facts: {} },
  {
    code: "session-created",
    facts: { families: ["IPv4", "IPv6"], transport: "IPv6", hasExtendedNextHop: true },
  },
];

test("the agent returns a step as soon as the router has done it", async () => {
  await using internet = await openInternet();
  const host = await internet.host("syd01", "198.51.100.254/24");
  await startNodeBird(host, []);
  await using agent = await startAgent(host);
  const peering = peeringOf(1);
  const { asn } = peering;
  // The first addition also creates files that later ones find.
  for (const desired of [peering, null]) await agent.apply(asn, desired);
  const { steps } = await agent.apply(asn, peering);
  let generation = 3;

  /** Returns the steps so far just before a command. */
  async function stepsBefore(command: string): Promise<readonly CodedFacts[]> {
    await agent.apply(asn, null);
    generation += 2;
    const index = steps.findIndex((step) => step.startsWith(command));
    let done: readonly CodedFacts[] = [];
    await agent.apply(asn, peering, {
      number: index + 1,
      name: steps[index] ?? "",
      atStep: async () => {
        done = await agent.progress(asn, generation);
      },
    });
    expect(await agent.progress(asn, generation)).toEqual([]);
    return done;
  }

  expect(await stepsBefore("fill")).toEqual([]);
  expect(await stepsBefore("wg")).toEqual([wrote]);
  expect(await stepsBefore("bird: configure timeout")).toEqual([wrote, tunnel]);
  expect(await stepsBefore("bird: configure confirm")).toEqual([wrote, tunnel, ...loaded]);
});
