/** What the operator's commands print of a node whose agent is hostile. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentProtocol, protocolHeader } from "#contract/agent/agent-protocol.ts";
import { listenPinned } from "#mtls/pinned-server.ts";
import { openIdentity } from "#mtls/tls-identity.ts";
import { openServerIdentity } from "#server/provider-server.ts";
import { type Provider, setUpProvider } from "./provider.ts";

const node = "syd01";
/** What the agent responds, by path: a status and a body. */
let responses: Readonly<Record<string, readonly [status: number, body: unknown]>> = {};
let provider: Provider;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  provider = parts.use(await setUpProvider([node]));
  const [at] = provider.agents;
  if (!at) throw new Error("no agent");
  parts.use(
    await listenPinned({
      host: "127.0.0.1",
      port: at.port,
      identity: await openIdentity(at.stateDir, "agent"),
      fingerprints: [(await openServerIdentity(provider.serverDir)).fingerprint],
      listener: (request, response) => {
        const [status, body] = responses[request.url ?? ""] ?? [404, { message: "No." }];
        response.writeHead(status, { [protocolHeader]: String(agentProtocol) });
        response.end(JSON.stringify(body));
      },
      onAccepted: () => {},
      onRefused: () => {},
      onEnded: () => {},
      toClientKey: (address) => address,
      isServerAddress: () => false,
    }),
  );
});
afterAll(() => parts.disposeAsync());

/** Clears the screen, starts a line, and turns the direction of the text. */
const hostile = "a\u001b[2J\n  remove  AS1\u202e";
/** What a terminal obeys, besides the end of a line. */
// oxlint-disable-next-line no-control-regex -- the test is about them
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

function entry(asn: string, changes: object = {}, generation = 1) {
  const peering = {
    asn,
    addressFamily: "IPv6",
    extendedNextHop: false,
    endpointHost: "198.51.100.7",
    endpointPort: 1,
    listenPort: 20_001,
    publicKey: "key",
    peerIpv4: null,
    peerIpv6: "fe80::1",
    localIpv4: null,
    localIpv6: "fe80::2",
    ...changes,
  };
  return { asn, generation, present: true, database: "x", peering };
}

test("recover prints no control characters and no lines of the agent, and says what it leaves out", async () => {
  const list = [
    entry("4242420001"),
    entry("4242420002", { endpointHost: hostile }),
    entry("4242420003", { peerIpv6: "x".repeat(1_000) }),
    entry(hostile),
    entry("4242420004", {}, 9e15),
  ];
  responses = { "/v1/generations": [200, list], "/v1/peerings": [200, list] };
  const { output } = await provider.runCommand(["recover"]);
  expect(output).not.toMatch(controls);
  expect(output.match(/^ {2}\S.*/gm)).toEqual([
    "  add     AS4242420001: IPv6, 198.51.100.7:1, UDP port 20001, fe80::1",
    expect.stringMatching(/^ {2}IGNORED \d+ entries in the node's lists are invalid\./),
    "  0 peerings are the same.",
  ]);
  responses = { "/v1/generations": [500, { message: `${hostile}${"x".repeat(500)}` }] };
  const failed = (await provider.runCommand(["recover"])).output;
  expect(failed).not.toMatch(controls);
  expect(failed).toContain(String.raw`a\u{1b}[2J\u{a}  remove  AS1\u{202e}`);
  responses = { "/v1/generations": [500, { message: "x".repeat(200_000) }] };
  expect((await provider.runCommand(["recover"])).output.length).toBeLessThan(2_000);
});
