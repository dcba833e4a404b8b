/** One connection with bytes that two programs in a row could read as different requests. */
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountServer, serveAccounts } from "../accounts/account-server.ts";

let folder: string;
let server: AccountServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-boundaries-"));
  server = await serveAccounts({ kind: "sqlite", dataDir: folder });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Sends bytes and returns the status of each response until the server closes the connection. */
async function send(...lines: readonly string[]): Promise<readonly string[]> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(lines.join("\r\n"));
  const received = await text(socket);
  return Array.from(received.matchAll(/^HTTP\/1\.1 (\d{3})/gm), ([, status = ""]) => status);
}

const hidden = ["GET /api/auth-status/ HTTP/1.1", "Host: x", "", ""];

test.each([
  ["a length and chunks", ["Content-Length: 5", "Transfer-Encoding: chunked"]],
  ["chunks in another coding", ["Transfer-Encoding: chunked, identity"]],
  ["a space before the colon", ["Content-Length : 49"]],
])("a request with %s is rejected, and nothing after it is read", async (_, headers) => {
  const request = ["POST /api/logout/ HTTP/1.1", "Host: x", ...headers, "", "0", "", ""];
  expect(await send(...request, ...hidden)).toEqual(["400"]);
});
