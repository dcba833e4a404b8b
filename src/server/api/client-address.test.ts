import { networkInterfaces } from "node:os";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { prefix } from "../../domain/prefix.ts";
import { createClientAddressReader, isFromOwnHost } from "./client-address.ts";

/** Creates a function that sends a request from a peer address and returns the client's address. */
function readAddresses(trustedProxies: readonly string[] = []) {
  const warnings: unknown[] = [];
  const time = { now: 0 };
  const readClientAddress = createClientAddressReader({
    trustedProxies: trustedProxies.map(prefix),
    log: { warn: (fields: unknown) => void warnings.push(fields) },
    clock: () => time.now,
  });
  const app = new Hono();
  app.get("/", (context) => context.text(readClientAddress(context)));
  async function read(peer: string | undefined, forwarded?: string): Promise<string> {
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
    const connection = { incoming: { socket: { remoteAddress: peer } } };
    return (await app.request("/", { headers }, connection)).text();
  }
  return { app, read, warnings, time };
}

const proxies = ["127.0.0.1/32", "192.0.2.0/28", "2001:db8:ffff::/48", "fe80::/64"];

test.each([
  ["no header", "127.0.0.1", undefined, "127.0.0.1"],
  ["an empty header", "127.0.0.1", "", "127.0.0.1"],
  ["one entry", "127.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["a forged entry to its left", "127.0.0.1", "10.0.0.1, 198.51.100.7", "198.51.100.7"],
  ["a forged trusted proxy to its left", "127.0.0.1", "192.0.2.1, 198.51.100.7", "198.51.100.7"],
  ["a second proxy", "127.0.0.1", "10.0.0.1,198.51.100.7 ,\t192.0.2.15", "198.51.100.7"],
  ["an address beside the trusted range", "127.0.0.1", "198.51.100.7, 192.0.2.16", "192.0.2.16"],
  ["trusted proxies only", "127.0.0.1", "192.0.2.1, 192.0.2.2", "192.0.2.1"],
  ["IPv6", "127.0.0.1", "2001:DB8:0::7", "2001:db8::7"],
  ["an IPv6 proxy", "2001:db8:ffff::1", "198.51.100.7, 2001:db8:ffff:1::2", "198.51.100.7"],
  ["a link-local proxy", "fe80::1%eth0", "198.51.100.7", "198.51.100.7"],
  ["a mapped peer", "::ffff:127.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["mapped entries", "127.0.0.1", "::ffff:198.51.100.7, ::FFFF:c000:20f", "198.51.100.7"],
  ["a port", "127.0.0.1", "198.51.100.7:51820, 192.0.2.1:80", "198.51.100.7"],
  ["brackets", "127.0.0.1", "[2001:db8::7]", "2001:db8::7"],
  ["brackets and ports", "127.0.0.1", "[2001:db8::7]:443, [::ffff:192.0.2.1]:1", "2001:db8::7"],
  ["an unreadable entry", "127.0.0.1", "198.51.100.7, nonsense", "127.0.0.1"],
  ["an unreadable entry before a proxy", "127.0.0.1", "198.51.100.7, unknown, 192.0.2.1", "192.0.2.1"],
  ["an empty entry", "127.0.0.1", "198.51.100.7,", "127.0.0.1"],
  ["an IPv6 address with a port but no brackets", "127.0.0.1", "2001:db8::7:51820", "127.0.0.1"],
])("with %s from %s, X-Forwarded-For %j means %s", async (_, peer, forwarded, address) => {
  const { read, warnings } = readAddresses(proxies);
  expect(await read(peer, forwarded)).toBe(address);
  expect(warnings).toEqual([]);
});

test.each([
  ["numbers", "127.1", "0x7f.1", "2130706433", "198.51.100.07"],
  ["ports", "198.51.100.7:", "198.51.100.7:http", "198.51.100.7:123456"],
  ["brackets", "[198.51.100.7", "[[2001:db8::7]]", "2001:db8::7]:1"],
  ["other texts", "fe80::1%eth0", "_hidden", "for=198.51.100.7", "198.51.100.7 192.0.2.1"],
  ["a prefix", "::ffff:198.51.100.7/128"],
])("malformed entries are unreadable: %s", async (_, ...entries) => {
  const { read } = readAddresses(proxies);
  for (const entry of entries)
    expect([entry, await read("127.0.0.1", `203.0.113.1, ${entry}`)]).toEqual([entry, "127.0.0.1"]);
});

test("a header of any other peer is ignored, with one warning per client and hour", async () => {
  const { read, warnings, time } = readAddresses(proxies);
  for (const peer of ["198.51.100.9", "::ffff:198.51.100.9", "2001:db8::1", "2001:db8::2"]) {
    expect(await read(peer, "203.0.113.1")).toBe(peer.replace("::ffff:", ""));
    expect(await read(peer)).toBe(peer.replace("::ffff:", ""));
  }
  const first = [{ peer: "198.51.100.9" }, { peer: "2001:db8::1" }];
  expect(warnings).toEqual(first);
  time.now = 3_599_999;
  await read("198.51.100.9", "203.0.113.1");
  expect(warnings).toEqual(first);
  time.now = 3_600_000;
  await read("198.51.100.9", "203.0.113.1");
  expect(warnings).toEqual([...first, { peer: "198.51.100.9" }]);
});

test("many addresses cause at most a hundred warnings an hour", async () => {
  const { read, warnings, time } = readAddresses();
  const readAll = async () => {
    for (let host = 0; host < 250; host += 1) await read(`198.51.100.${host}`, "203.0.113.1");
  };
  await readAll();
  expect(warnings).toHaveLength(100);
  time.now = 3_600_000;
  await readAll();
  expect(warnings).toHaveLength(200);
});

test("a call within the process, or over a connection that has closed, has no address", async () => {
  const { app, read } = readAddresses(proxies);
  expect(await (await app.request("/")).text()).toBe("unknown");
  expect(await read(undefined, "198.51.100.7")).toBe("unknown");
});

test("the own host are loopback and the host's addresses, without the header of a reverse proxy", async () => {
  const app = new Hono().get("/", (context) => context.json(isFromOwnHost(context)));
  const isOwn = async (remoteAddress: string, headers = {}) =>
    (await app.request("/", { headers }, { incoming: { socket: { remoteAddress } } })).json();
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const results = await Promise.all(
    ["127.0.0.1", "::1", ...own.map(({ address }) => address)].map((one) => isOwn(one)),
  );
  expect(results).not.toContain(false);
  expect(await isOwn("203.0.113.7")).toBe(false);
  expect(await isOwn("127.0.0.1", { "x-forwarded-for": "203.0.113.7" })).toBe(false);
});
