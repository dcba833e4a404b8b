/** A listener that opens a stream and never reads: it costs little, and is cut off. */
import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { expect, onTestFinished, test } from "vitest";
import { livePath } from "../../../src/contract/live.ts";
import { liveRoute } from "../../../src/server/features/live/route.ts";
import { createStreams } from "../../../src/server/features/live/streams.ts";
import { openEvents } from "./event-stream.ts";

const asn = "4242420001";

test("who does not read is cut off, and the others hear on", async () => {
  const streams = createStreams({ isLive: async () => true });
  onTestFinished(() => streams[Symbol.asyncDispose]());
  const readExchange = async () => ({ asn, sessionToken: "token" }) as never;
  const app = liveRoute({ live: streams, readExchange, publicUrl: "http://127.0.0.1" });
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;

  const connections = new Set<unknown>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
  });
  const deaf = request({ host: "127.0.0.1", port, path: livePath, agent: false });
  onTestFinished(() => void deaf.destroy());
  deaf.on("error", () => undefined).end();
  const [answer] = (await once(deaf, "response")) as [NodeJS.ReadableStream];
  answer.on("error", () => undefined).pause();

  const event = { node: "x".repeat(8_000) };
  // What the system's own buffers take, and then no more.
  for (let told = 0; streams.listening().has(asn); told += 1) {
    expect(told).toBeLessThan(10_000);
    streams.tell(asn, "peering", event);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  await expect.poll(() => connections.size).toBe(0);

  await using reader = await openEvents(`http://127.0.0.1:${port}`, "");
  await reader.next("hello");
  streams.tell(asn, "peering", event);
  expect(await reader.next("peering")).toEqual(event);
});
