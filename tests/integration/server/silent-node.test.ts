/** Checks of a node that does not respond: the server does not wait for it as long as for a slow router. */
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import type { CallError, Transport } from "#contract/client.ts";
import { agentResponse } from "../../support/agent-response.ts";
import { deployPeering, signUp } from "./participant.ts";
import { profileServer } from "./profile-server.ts";

/** Waits like a node that drops every packet. */
function silence(signal: unknown): Promise<never> {
  return new Promise((_, reject) => {
    if (!(signal instanceof AbortSignal)) return;
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

const message = (node: string) =>
  `${node}.demo.dn42 cannot be reached. Nothing was changed; try again in a minute.`;

test("a check ends soon on a silent node, sooner if that is known, and never on one that responds", async () => {
  const details = "/v1/details";
  const others = Promise.withResolvers<void>();
  let isSilent = false;
  const nodes: Readonly<Record<string, (agent: Transport) => Transport>> = {
    // Its observations have failed before: the server knows.
    syd01: () => (request) =>
      request.path.startsWith("/v1/observe")
        ? Promise.reject(Object.assign(new Error("connect ETIMEDOUT"), { code: "ETIMEDOUT" }))
        : silence(request.signal),
    per01: () => (request) => silence(request.signal),
    // Its router takes longer than all of that.
    sin01: (agent) => async (request) => {
      if (request.path !== details) return agent(request);
      await others.promise;
      return agentResponse({ wireguard: "interface: slow", bgp: "" });
    },
  };
  await using server = await profileServer(
    {},
    {
      through: (agent, node) => (request) =>
        isSilent && request.path !== "/v1/health" ? (nodes[node]?.(agent) ?? agent)(request) : agent(request),
    },
  );
  const participant = await signUp(server.url, "4242420001");
  const { asn: username, call } = participant;
  for (const node of Object.keys(nodes)) await deployPeering(participant, node);
  isSilent = true;
  await expect
    .poll(async () => (await call(calls.getPeerStatus, { username })).find(({ node }) => node === "syd01"))
    .toMatchObject({ known: false });

  const startedAt = performance.now();
  const ends: string[] = [];
  const check = async (node: string) => {
    const failure = await call(calls.getPeerDetails, { username, node }).then(
      () => null,
      (error: unknown) => error as CallError,
    );
    ends.push(node);
    return { status: failure?.status, message: failure?.body.message, after: performance.now() - startedAt };
  };
  const slow = check("sin01");
  const [known, unknown] = await Promise.all([check("syd01"), check("per01")]);
  others.resolve();
  expect(known).toMatchObject({ status: 503, message: message("syd01") });
  expect(unknown).toMatchObject({ status: 503, message: message("per01") });
  expect(await slow).toMatchObject({ status: undefined });
  expect(ends).toEqual(["syd01", "per01", "sin01"]);
  // Half of the time of a node whose silence is not known yet.
  expect(known.after / unknown.after).toBeLessThan(0.75);
}, 20_000);
