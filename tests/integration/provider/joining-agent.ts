/** The requests of `peerdeck-agent join`, and agents that a server meets when it connects. */
import { randomBytes } from "node:crypto";
import type { RequestListener } from "node:http";
import { calls } from "#contract/calls.ts";
import { agentProtocol, protocolHeader } from "#contract/agent/agent-protocol.ts";
import { joinResponse, type JoinRequest, type JoinResponse } from "#contract/agent/node-join.ts";
import { isSameProof, type JoinLine, parseJoinLine, proveRequest, proveResponse } from "#mtls/join-proof.ts";
import { listenPinned } from "#mtls/pinned-server.ts";
import type { TlsIdentity } from "#mtls/tls-identity.ts";
import * as v from "valibot";
import type { AgentAt, Provider, Settings } from "./provider.ts";

/** Runs `peerdeck nodes add`, and returns the line. */
export async function addLine(
  provider: Provider,
  node: string,
  settings: Settings = {},
  ...args: readonly string[]
): Promise<JoinLine> {
  const command = ["nodes", "add", node, "--place", "Frankfurt, Germany", "--json", ...args];
  const { output } = await provider.runCommand(command, settings);
  const { line } = JSON.parse(output) as { readonly line: string };
  const parsed = parseJoinLine(/^peerdeck-agent join '([^']+)'$/.exec(line)?.[1] ?? "");
  if (!parsed) throw new Error(`no join line: ${output}`);
  return parsed;
}

export interface JoinAttempt {
  readonly url: string;
  readonly line: JoinLine;
  /** Of the agent's certificate. */
  readonly fingerprint: string;
  readonly agent: JoinRequest["agent"];
  /** What differs from the text of a right request. */
  readonly changes?: Readonly<Record<string, unknown>>;
  /** Replaces the text after its proof was made. */
  readonly tamper?: (text: string) => string;
  /** The client's address, as a trusted proxy reports it; by default another one for each request. */
  readonly client?: string;
}

export interface JoinAnswer {
  readonly status: number;
  /** The text of a response whose proof is right. */
  readonly joined: JoinResponse | null;
  /** Of an error response. */
  readonly message: string;
  readonly field: string | undefined;
}

let clients = 0;

/** Sends a request of an agent that joins. Rejects if the server's proof is wrong. */
export async function askToJoin(attempt: JoinAttempt): Promise<JoinAnswer> {
  const { url, line, fingerprint, agent, changes, tamper = (text) => text } = attempt;
  clients += 1;
  const request: JoinRequest = {
    protocol: agentProtocol,
    serverFingerprint: line.serverFingerprint,
    agentFingerprint: fingerprint,
    nonce: randomBytes(16).toString("base64url"),
    agent,
  };
  const text = JSON.stringify({ ...request, ...changes });
  const signed = { text: tamper(text), proof: proveRequest(line, text) };
  const response = await fetch(url + calls.joinNode.path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": attempt.client ?? `198.51.${clients >> 8}.${clients & 255}`,
    },
    body: JSON.stringify({ token: line.id, request: signed }),
  });
  const body = (await response.json()) as Record<string, string>;
  const { status } = response;
  const { message = "", field, text: answer = "", proof = "" } = body;
  if (status !== 200) return { status, joined: null, message, field };
  if (!isSameProof(proveResponse(line, text, answer), proof)) throw new Error("the server's proof is wrong");
  const joined = v.parse(v.pipe(v.string(), v.parseJson(), joinResponse), answer);
  if (joined.nonce !== request.nonce) throw new Error("the response is for another request");
  return { status, joined, message, field };
}

/** What an agent says of its node. */
export function describeAgent(
  { port }: Pick<AgentAt, "port">,
  last: number,
): NonNullable<JoinRequest["agent"]> {
  return {
    url: `https://127.0.0.1:${port}`,
    publicIp: `203.0.113.${last}`,
    endpoints: [`Node${last}.Example.net`],
    tunnelIpv4: `172.20.222.${last}`,
  };
}

export interface FakeAgent extends AsyncDisposable {
  readonly port: number;
  readonly fingerprint: string;
  /** The paths that were requested. */
  readonly requests: readonly string[];
}

/** Starts a program in place of an agent. The server's certificate is pinned. */
export async function startFakeAgent(
  identity: TlsIdentity,
  serverFingerprint: string,
  respond: RequestListener,
): Promise<FakeAgent> {
  const requests: string[] = [];
  const server = await listenPinned({
    host: "127.0.0.1",
    port: 0,
    identity,
    fingerprints: [serverFingerprint],
    listener: (incoming, outgoing) => {
      requests.push(String(incoming.url));
      outgoing.setHeader(protocolHeader, String(agentProtocol));
      respond(incoming, outgoing);
    },
    onAccepted: () => undefined,
    onRefused: () => undefined,
    onEnded: () => undefined,
    toClientKey: (address) => address,
    isServerAddress: () => false,
  });
  const { fingerprint } = identity;
  const { port } = server.address;
  return { port, fingerprint, requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The response of an agent to `facts`. */
export function factsOf(node: string): string {
  const publicKey = Buffer.alloc(32, 9).toString("base64");
  return JSON.stringify({
    node,
    publicKey,
    keys: [publicKey],
    simulation: true,
    version: "1.0.0",
  });
}
