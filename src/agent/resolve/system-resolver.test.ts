import { createSocket, type Socket } from "node:dgram";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSystemResolver } from "./system-resolver.ts";

const types = { A: 1, AAAA: 28 } as const;
/** Response codes of RFC 1035. */
const codes = { ok: 0, serverFailure: 2, noSuchName: 3 } as const;

type DnsReply = { readonly code?: keyof typeof codes; readonly data?: readonly number[] } | "silence";

let server: Socket;
let replyTo: (name: string, type: keyof typeof types) => DnsReply;

/** A name server that answers one query with at most one record (RFC 1035, section 4). */
beforeEach(async () => {
  server = createSocket("udp4");
  server.on("message", (query, from) => {
    const { name, end } = parseQuestion(query);
    const type = query.readUInt16BE(end) === types.A ? "A" : "AAAA";
    const reply = replyTo(name, type);
    if (reply === "silence") return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | codes[reply.code ?? "ok"], 2);
    header.writeUInt16BE(reply.data ? 1 : 0, 6);
    header.writeUInt16BE(0, 10);
    const { data } = reply;
    const record = data ? [0xc0, 12, 0, types[type], 0, 1, 0, 0, 0, 60, 0, data.length, ...data] : [];
    const message = Buffer.concat([header, query.subarray(12, end + 4), Buffer.from(record)]);
    server.send(message, from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
});
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

function parseQuestion(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

const resolve = (name: string, signal = new AbortController().signal) =>
  createSystemResolver([`127.0.0.1:${server.address().port}`])(name, signal);

const ipv4 = [198, 51, 100, 9];
const ipv6 = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];

test("queries both address families and returns IPv4 first", async () => {
  replyTo = (_, type) => ({ data: type === "A" ? ipv4 : ipv6 });
  expect(await resolve("router.example.net")).toEqual(["198.51.100.9", "2001:db8::7"]);
});

test("a name with one address family or none is no failure", async () => {
  replyTo = (name, type) => {
    if (name === "gone.example.net") return { code: "noSuchName" };
    return type === "A" ? {} : { data: ipv6 };
  };
  expect(await resolve("six.example.net")).toEqual(["2001:db8::7"]);
  expect(await resolve("gone.example.net")).toEqual([]);
});

test("a failure of one address family does not hide the other's address", async () => {
  replyTo = (_, type) => (type === "A" ? { data: ipv4 } : { code: "serverFailure" });
  expect(await resolve("router.example.net")).toEqual(["198.51.100.9"]);
  replyTo = () => ({ code: "serverFailure" });
  await expect(resolve("router.example.net")).rejects.toThrow("ESERVFAIL");
});

test("an abort cancels the query", async () => {
  const abort = new AbortController();
  replyTo = () => {
    abort.abort();
    return "silence";
  };
  await expect(resolve("router.example.net", abort.signal)).rejects.toThrow("ECANCELLED");
});
