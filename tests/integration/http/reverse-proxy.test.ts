/** The client's address behind real reverse proxies, which run the files of docs/reverse-proxy.md. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prefix } from "#domain/prefix.ts";
import { freePort } from "../../support/free-port.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type AccountServer, serveAccounts } from "../accounts/account-server.ts";
import { type ReverseProxy, startHaproxy, startNginx } from "./reverse-proxies.ts";

/** An address outside of the trusted range. */
const client = "127.0.0.9";
const trustedProxies = [prefix("127.0.0.0/29")];

/** Serves the client's address instead of the login status. */
async function serveClientAddress(dataDir: string, trusted = trustedProxies): Promise<AccountServer> {
  return serveAccounts(
    { kind: "sqlite", dataDir },
    {
      trustedProxies: trusted,
      handlers: {
        authStatus: async (_, { clientAddress }) => ({ isAuthenticated: false, username: clientAddress }),
      },
    },
  );
}

let folder: string;
let server: AccountServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-reverse-proxy-"));
  server = await serveClientAddress(folder);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function readAddress(
  proxy: ReverseProxy,
  options: Parameters<ReverseProxy["fetch"]>[1] = { from: client },
): Promise<string> {
  const { username } = JSON.parse(await proxy.fetch("/api/auth-status/", options)) as { username: string };
  return username;
}

const forgeries = [
  [],
  [""],
  ["203.0.113.9"],
  ["203.0.113.9", "198.51.100.1, 127.0.0.2"],
  ["127.0.0.1"],
  ["unknown", "[", "203.0.113.9,"],
];

const nginx = {
  name: "nginx",
  start: startNginx,
  withPort: { $proxy_add_x_forwarded_for: '"$remote_addr:$remote_port"' },
  withBrackets: { $proxy_add_x_forwarded_for: '"[$remote_addr]:$remote_port"' },
  dualStack: { "listen 127.0.0.1": "listen [::ffff:127.0.0.1]", " ssl;": " ssl ipv6only=off;" },
  outer: { "proxy_http_version 1.1;": "proxy_http_version 1.1; proxy_bind 127.0.0.2;" },
};
const haproxy = {
  name: "HAProxy",
  start: startHaproxy,
  withPort: { "option forwardfor": "http-request set-header X-Forwarded-For %[src]:%[src_port]" },
  withBrackets: { "option forwardfor": "http-request set-header X-Forwarded-For [%[src]]:%[src_port]" },
  dualStack: { "bind 127.0.0.1": "bind [::ffff:127.0.0.1]" },
  outer: { "timeout connect 5s": "timeout connect 5s\n    source 127.0.0.2" },
};

describe.each([nginx, haproxy])("behind $name", ({ start, withPort, withBrackets, dualStack }) => {
  test("the address is the client's, whatever header it sends", async () => {
    await using proxy = await start(server.url);
    for (const forwarded of forgeries) {
      expect(await readAddress(proxy, { from: client, forwarded })).toBe(client);
      expect(await readAddress(proxy, { to: "::1", forwarded })).toBe("::1");
    }
  });

  test("the token of a mailed link is in no log, also when the server is down", async () => {
    const unused = `http://127.0.0.1:${await freePort()}`;
    for (const upstream of [server.url, unused]) {
      await using proxy = await start(upstream);
      // HAProxy tries to reach a server that is down for three seconds.
      for (const path of upstream === unused ? ["/setPassword"] : ["/setPassword", "/setpassword/"]) {
        await proxy.fetch(`${path}?purpose=reset&token=canary`);
        await waitFor(async () => expect(await proxy.readLog()).toContain(`"GET ${path} HTTP/1.1"`));
      }
      expect(await proxy.readLog()).not.toContain("canary");
    }
    expect(server.log.join("\n")).toContain('"/setPassword"');
    expect(server.log.join("\n")).not.toContain("canary");
  });

  test("ports and brackets are removed", async () => {
    await using plain = await start(server.url, withPort);
    expect(await readAddress(plain)).toBe(client);
    await using bracketed = await start(server.url, withBrackets);
    expect(await readAddress(bracketed)).toBe(client);
    expect(await readAddress(bracketed, { to: "::1" })).toBe("::1");
  });

  test("an IPv4 client of a dual-stack socket has its IPv4 address", async () => {
    await using proxy = await start(server.url, dualStack);
    expect(await readAddress(proxy)).toBe(client);
  });
});

describe.each([
  { outer: nginx, inner: haproxy },
  { outer: haproxy, inner: nginx },
])("behind $outer.name and $inner.name", ({ outer, inner }) => {
  test("the address is the client's, whatever header it sends", async () => {
    await using near = await inner.start(server.url);
    await using far = await outer.start(near.url, outer.outer);
    for (const forwarded of forgeries) {
      expect(await readAddress(far, { from: client, forwarded })).toBe(client);
      expect(await readAddress(far, { to: "::1", forwarded })).toBe("::1");
    }
  });

  test("the address is the first proxy's if only the second is trusted", async () => {
    await using lessTrusting = await serveClientAddress(folder, [prefix("127.0.0.1/32")]);
    await using near = await inner.start(lessTrusting.url);
    await using far = await outer.start(near.url, outer.outer);
    expect(await readAddress(far)).toBe("127.0.0.2");
  });
});

test("behind a proxy that is not trusted every address is the proxy's, and the log says so once", async () => {
  await using untrusting = await serveClientAddress(folder, []);
  await using proxy = await startNginx(untrusting.url);
  for (let count = 0; count < 3; count += 1) expect(await readAddress(proxy)).toBe("127.0.0.1");
  const warnings = untrusting.log.filter((line) => line.includes("trusted_proxies"));
  expect(warnings.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      level: 40,
      peer: "127.0.0.1",
      msg: "X-Forwarded-For was ignored because it came from an address that is not in trusted_proxies",
    }),
  ]);
});
