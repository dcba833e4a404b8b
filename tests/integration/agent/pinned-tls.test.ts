import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import { request } from "node:https";
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { ListeningServer } from "#system/listen.ts";
import { listenPinned, type PinnedServerOptions } from "#mtls/pinned-server.ts";
import { createPinnedTransport } from "#mtls/pinned-transport.ts";
import type { TlsIdentity } from "#mtls/tls-identity.ts";
import { testIdentity } from "../../support/test-identity.ts";
import { sendSlowly } from "../server/connection-attack.ts";

const get = { method: "GET", path: "/v1/facts", headers: {}, body: null, signal: undefined } as const;

let server: TlsIdentity;
let agent: TlsIdentity;
let unknownClient: TlsIdentity;
let requests: string[];
let refused: Array<string | null>;

beforeAll(async () => {
  server = await testIdentity("server");
  agent = await testIdentity("agent");
  unknownClient = await testIdentity("stranger");
});
beforeEach(() => {
  requests = [];
  refused = [];
});

const answering: RequestListener = (incoming, outgoing) => {
  requests.push(`${incoming.method} ${incoming.url}`);
  outgoing.end("hello");
};

function listen(
  options: Pick<PinnedServerOptions, "identity" | "headersTimeoutMs"> & { listener?: RequestListener },
): Promise<ListeningServer> {
  return listenPinned({
    host: "127.0.0.1",
    port: 0,
    fingerprints: [server.fingerprint],
    listener: answering,
    onAccepted: () => {},
    onRefused: (fingerprint) => refused.push(fingerprint),
    onEnded: () => {},
    toClientKey: (address) => address,
    isServerAddress: () => false,
    ...options,
  });
}

function connect(to: ListeningServer, identity: TlsIdentity, fingerprint: string, timeoutMs = 30_000) {
  return createPinnedTransport({
    url: `https://127.0.0.1:${to.address.port}`,
    identity,
    fingerprint,
    timeoutMs,
  });
}

test("two that pinned each other talk, over one connection", async () => {
  const ports = new Set<number | undefined>();
  await using listening = await listen({
    identity: agent,
    listener: (incoming, outgoing) => {
      ports.add(incoming.socket.remotePort);
      answering(incoming, outgoing);
    },
  });
  await using transport = connect(listening, server, agent.fingerprint);
  for (let call = 0; call < 3; call += 1) {
    const response = await transport(get);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("hello");
  }
  expect(requests).toEqual(["GET /v1/facts", "GET /v1/facts", "GET /v1/facts"]);
  expect(ports.size).toBe(1);
});

test("a client with another certificate is cut off before its request is read", async () => {
  await using listening = await listen({ identity: agent });
  await using transport = connect(listening, unknownClient, agent.fingerprint);
  await expect(transport(get)).rejects.toThrow(/socket hang up|ECONNRESET/);
  expect(refused).toEqual([unknownClient.fingerprint]);
  expect(requests).toEqual([]);
});

test("a client without a certificate is cut off before its request is read", async () => {
  await using listening = await listen({ identity: agent });
  const error = await new Promise((resolve, reject) => {
    request(
      { host: "127.0.0.1", port: listening.address.port, rejectUnauthorized: false, agent: false },
      () => reject(new Error("the agent answered")),
    )
      .on("error", resolve)
      .end();
  });
  expect(String(error)).toMatch(/socket hang up|ECONNRESET/);
  expect(refused).toEqual([null]);
  expect(requests).toEqual([]);
});

test("a server with another certificate gets not one byte of the request", async () => {
  await using listening = await listen({ identity: unknownClient });
  await using transport = connect(listening, server, agent.fingerprint);
  await expect(transport(get)).rejects.toThrow(
    `127.0.0.1 presented the certificate ${unknownClient.fingerprint} instead of the pinned ${agent.fingerprint}. ` +
      "Nothing was sent.",
  );
  expect(requests).toEqual([]);
});

test("a response over the limit of its call is not read to its end", async () => {
  const chunk = Buffer.alloc(64 * 1024);
  let written = 0;
  await using listening = await listen({
    identity: agent,
    listener: (_incoming, outgoing) => {
      const more = () => {
        do written += chunk.length;
        while (outgoing.write(chunk));
      };
      outgoing.on("drain", more);
      more();
    },
  });
  await using transport = connect(listening, server, agent.fingerprint);
  await expect(transport(get)).rejects.toThrow("The response is larger than 262144 bytes");
  const larger = transport({ ...get, maxResponseBytes: 1024 * 1024 });
  await expect(larger).rejects.toThrow("The response is larger than 1048576 bytes");
  // What the system's buffers take comes on top of it.
  expect(written).toBeLessThan(64 * 1024 * 1024);
});

test("a call ends when its time is up, and when its caller aborts", async () => {
  await using listening = await listen({ identity: agent, listener: () => {} });
  await using hasty = connect(listening, server, agent.fingerprint, 50);
  await expect(hasty(get)).rejects.toThrow("The operation was aborted due to timeout");
  await using patient = connect(listening, server, agent.fingerprint);
  const abort = new AbortController();
  const call = patient({ ...get, signal: abort.signal });
  abort.abort(new Error("aborted by the caller"));
  await expect(call).rejects.toThrow("aborted by the caller");
});

test("a server that stops does not wait for a connection whose handshake ends later", async () => {
  const listening = await listen({ identity: agent });
  const raw = connectTcp(listening.address.port, "127.0.0.1");
  await once(raw, "connect");
  const stopped = listening[Symbol.asyncDispose]();
  const { privateKey: key, certificate: cert } = server;
  const socket = connectTls({ socket: raw, key, cert, rejectUnauthorized: false });
  socket.resume();
  await once(socket, "secureConnect");
  await expect(stopped).resolves.toBeUndefined();
});

test("a server that stops responds to the request that it has, and does not wait for half a request", async () => {
  const received = Promise.withResolvers<ServerResponse>();
  const listening = await listen({
    identity: agent,
    listener: (_, outgoing) => received.resolve(outgoing),
  });
  const { privateKey: key, certificate: cert } = server;
  const half = connectTls({ port: listening.address.port, key, cert, rejectUnauthorized: false });
  half.on("error", () => {}).resume();
  await once(half, "secureConnect");
  half.write("GET /v1/facts HTTP/1.1\r\n");
  await using transport = connect(listening, server, agent.fingerprint);
  const call = transport(get);
  const response = await received.promise;
  const stopped = listening[Symbol.asyncDispose]();
  response.end("hello");
  await expect(call).resolves.toMatchObject({ status: 200 });
  await expect(stopped).resolves.toBeUndefined();
});

test("connections whose request does not arrive in time are ended, also while bytes arrive", async () => {
  await using listening = await listen({ identity: agent, headersTimeoutMs: 500 });
  const { privateKey: key, certificate: cert } = server;
  const text = Buffer.from("GET /v1/facts HTTP/1.1\r\nHost: node\r\n");
  const sends: ReadonlyArray<(socket: Socket) => void> = [
    () => {},
    (socket) => sendSlowly(socket, text, 100),
  ];
  await Promise.all(
    sends.map(async (send) => {
      const socket = connectTls({ port: listening.address.port, key, cert, rejectUnauthorized: false });
      socket.on("error", () => {}).resume();
      // `once` would reject with the error of a client that still sends when it is ended.
      const closed = new Promise((resolve) => {
        socket.once("close", resolve);
      });
      await once(socket, "secureConnect");
      send(socket);
      await closed;
    }),
  );
  expect(requests).toEqual([]);
});

test("a call ends while its connection is still being made, and disposing ends the connection", async () => {
  const unresponsive = createServer((socket) => void socket.on("error", () => undefined).resume());
  await once(unresponsive.listen(0, "127.0.0.1"), "listening");
  const { port } = unresponsive.address() as AddressInfo;
  const to = { url: `https://127.0.0.1:${port}`, identity: server, fingerprint: agent.fingerprint };
  const patient = createPinnedTransport({ ...to, timeoutMs: 30_000 });
  const abort = new AbortController();
  const call = patient({ ...get, signal: abort.signal });
  const [silent] = (await once(unresponsive, "connection")) as [Socket];
  abort.abort(new Error("aborted by the caller"));
  await expect(call).rejects.toThrow("aborted by the caller");
  await patient[Symbol.asyncDispose]();
  if (!silent.closed) await once(silent, "close");
  const hasty = createPinnedTransport({ ...to, timeoutMs: 50 });
  await expect(hasty(get)).rejects.toThrow("The operation was aborted due to timeout");
  await hasty[Symbol.asyncDispose]();
  await once(unresponsive.close(), "close");
});
