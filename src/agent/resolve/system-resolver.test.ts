import { createSocket, type Socket } from "node:dgram";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSystemResolver } from "./system-resolver.ts";

const types = { A: 1, AAAA: 28 } as const;
/** Response codes of RFC 1035. */
const codes = { ok: 0, serverFailure: 2, noSuchName: 3 } as const;

type Answer = { readonly code?: keyof typeof codes; readonly data?: readonly number[] } | "silence";

let server: Socket;
let answer: (name: string, type: keyof typeof types) => Answer;

/** A name server that answers one question with at most one record (RFC 1035, section 4). */
beforeEach(async () => {
  server = createSocket("udp4");
  server.on("message", (query, from) => {
    const { name, end } = questionOf(query);
    const type = query.readUInt16BE(end) === types.A ? "A" : "AAAA";
    const given = answer(name, type);
    if (given === "silence") return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | codes[given.code ?? "ok"], 2);
    header.writeUInt16BE(given.data ? 1 : 0, 6);
    header.writeUInt16BE(0, 10);
    const record = given.data
      ? [0xc0, 12, 0, types[type], 0, 1, 0, 0, 0, 60, 0, given.data.length, ...given.data]
      : [];
    server.send(
      Buffer.concat([header, query.subarray(12, end + 4), Buffer.from(record)]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
});
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

function questionOf(query: Buffer): { readonly name: string; readonly end: number } {
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

test("both families are asked for, and IPv4 comes first", async () => {
  answer = (_, type) => ({ data: type === "A" ? ipv4 : ipv6 });
  expect(await resolve("router.example.net")).toEqual(["198.51.100.9", "2001:db8::7"]);
});

test("a name that has only one family, or does not exist, is an answer", async () => {
  answer = (name, type) => {
    if (name === "gone.example.net") return { code: "noSuchName" };
    return type === "A" ? {} : { data: ipv6 };
  };
  expect(await resolve("six.example.net")).toEqual(["2001:db8::7"]);
  expect(await resolve("gone.example.net")).toEqual([]);
});

test("one family's broken servers do not hide the other's address", async () => {
  answer = (_, type) => (type === "A" ? { data: ipv4 } : { code: "serverFailure" });
  expect(await resolve("router.example.net")).toEqual(["198.51.100.9"]);
  answer = () => ({ code: "serverFailure" });
  await expect(resolve("router.example.net")).rejects.toThrow("ESERVFAIL");
});

test("who does not wait any more stops the question", async () => {
  const abort = new AbortController();
  answer = () => {
    abort.abort();
    return "silence";
  };
  await expect(resolve("router.example.net", abort.signal)).rejects.toThrow("ECANCELLED");
});
