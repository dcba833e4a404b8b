/** A server that lets agents join, as the contract says, or as a hostile one does. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import * as v from "valibot";
import {
  joinRequest,
  type JoinRequest,
  type JoinResponse,
  type SignedText,
} from "#contract/agent/node-join.ts";
import { nodeCalls } from "#contract/call-tables/node-calls.ts";
import {
  createJoinToken,
  formatJoinLine,
  isSameProof,
  proveRequest,
  proveResponse,
} from "#mtls/join-proof.ts";

export interface JoinServer extends AsyncDisposable {
  readonly line: string;
  readonly url: string;
  /** The texts of the requests whose proof was right. */
  readonly requests: readonly JoinRequest[];
}

export interface JoinServerOptions {
  readonly fingerprint: string;
  /** Changes what is proven. */
  readonly change?: (response: JoinResponse) => object;
  /** Changes what is sent. */
  readonly forge?: (signed: SignedText) => SignedText;
  /** Responds in another way to the requests of agents that run, if it returns true. */
  readonly decide?: (request: JoinRequest, response: ServerResponse) => boolean | Promise<boolean>;
}

const token = createJoinToken();

export async function startJoinServer(options: JoinServerOptions): Promise<JoinServer> {
  const { fingerprint, change = (same) => same, forge = (same) => same } = options;
  const requests: JoinRequest[] = [];

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, path, body: schema } = nodeCalls.joinNode;
    const body = v.parse(schema, JSON.parse(await readText(incoming)));
    const { text } = body.request;
    const isRight = isSameProof(body.request.proof, proveRequest(token, text)) && body.token === token.id;
    if (incoming.method !== method || incoming.url !== path || !isRight) {
      response.writeHead(403).end(JSON.stringify({ message: "The proof is wrong.\u001b[2J" }));
      return;
    }
    const request = v.parse(joinRequest, JSON.parse(text));
    requests.push(request);
    if (await options.decide?.(request, response)) return;
    const answer: JoinResponse = {
      nonce: request.nonce,
      serverFingerprint: fingerprint,
      agentFingerprint: request.agentFingerprint,
      node: "syd01",
      asn: "4242422227",
      prefixes: ["172.20.16.0/27", "fd42:d42::/48"],
      allowDocumentation: true,
    };
    const signed = JSON.stringify(change(answer));
    response.end(JSON.stringify(forge({ text: signed, proof: proveResponse(token, text, signed) })));
  }

  const server = createServer((incoming, response) => void respond(incoming, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    line: formatJoinLine({ ...token, url, serverFingerprint: fingerprint }),
    url,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
