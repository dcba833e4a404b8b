import { once } from "node:events";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readClientAddress } from "../../../src/server/api/authenticate.ts";

const app = new Hono();
app.get("/with-proxies", (context) => context.text(readClientAddress(context, ["127.0.0.1", "192.0.2.1"])));
app.get("/without-proxies", (context) => context.text(readClientAddress(context, [])));
const server = createAdaptorServer({ fetch: app.fetch });

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

async function fetchAddress(path: string, forwarded?: string): Promise<string> {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text();
}

test.each([
  [undefined, "127.0.0.1"],
  ["", "127.0.0.1"],
  ["198.51.100.7", "198.51.100.7"],
  ["10.0.0.1, 198.51.100.7", "198.51.100.7"],
  ["198.51.100.7, 192.0.2.1", "198.51.100.7"],
  ["2001:DB8:0::7", "2001:db8::7"],
  ["nonsense", "127.0.0.1"],
  ["192.0.2.1", "127.0.0.1"],
])("with X-Forwarded-For %j from a trusted proxy the address is %s", async (forwarded, address) => {
  expect(await fetchAddress("/with-proxies", forwarded)).toBe(address);
});

test("the header of any other client is ignored", async () => {
  expect(await fetchAddress("/without-proxies", "198.51.100.7")).toBe("127.0.0.1");
});

test("a call within the process has no address", async () => {
  expect(await (await app.request("/without-proxies")).text()).toBe("unknown");
});
