/** A client that opens a stream and never reads it uses little memory and is disconnected. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { expect, onTestFinished, test } from "vitest";
import { livePath } from "#contract/live-events.ts";
import { liveRoute } from "#server/features/live/live-route.ts";
import { createStreams } from "#server/features/live/streams.ts";
import { listen } from "#system/listen.ts";
import { demoProfile } from "../server/profile-server.ts";
import { openEvents } from "./event-stream.ts";

const asn = "4242420001";

test("a client that does not read is disconnected, and the others receive further events", async () => {
  const streams = createStreams({ isLive: async () => true });
  onTestFinished(() => streams[Symbol.asyncDispose]());
  const authenticate = async () => ({ asn, loginToken: "token" }) as never;
  const app = liveRoute({ live: streams, authenticate, urls: demoProfile });
  const serve = getRequestListener(app.fetch);
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  await using listening = await listen(server, { host: "127.0.0.1", port: 0, graceMs: 0 });
  const { port } = listening.address;

  const connections = new Set<unknown>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
  });
  const slow = request({ host: "127.0.0.1", port, path: livePath, agent: false });
  onTestFinished(() => void slow.destroy());
  slow.on("error", () => undefined).end();
  const [response] = (await once(slow, "response")) as [NodeJS.ReadableStream];
  response.on("error", () => undefined).pause();

  const event = { node: "x".repeat(8_000) };
  // Socket buffers take some events, then the stream has to end.
  for (let sent = 0; streams.subscribedAsns().has(asn); sent += 1) {
    expect(sent).toBeLessThan(10_000);
    streams.send(asn, "peering", event);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  await expect.poll(() => connections.size).toBe(0);

  await using reader = await openEvents(`http://127.0.0.1:${port}`, "");
  await reader.next("hello");
  streams.send(asn, "peering", event);
  expect(await reader.next("peering")).toEqual(event);
});
