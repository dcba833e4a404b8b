/** Real reverse proxies with the files of docs/reverse-proxy.md: the client's address, their logs, and versions of TLS. */
import { once } from "node:events";
import { connect, type SecureVersion } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prefix } from "#domain/prefix.ts";
import { freePort } from "../../support/free-port.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type AccountServer, serveAccounts } from "../accounts/account-server.ts";
import { type ReverseProxy, proxiedHost, startCaddy, startHaproxy, startNginx } from "./reverse-proxies.ts";

/** An address outside of the trusted range. */
const client = "127.0.0.9";

/** Serves the client's address instead of the login status. */
let server: AccountServer;
beforeAll(async () => {
  server = await serveAccounts(null, {
    trustedProxies: [prefix("127.0.0.0/29")],
    handlers: {
      authStatus: async (_, { clientAddress }) => ({ isAuthenticated: false, username: clientAddress }),
    },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Headers that the client sends to hide its address. */
const forgeries = [
  [],
  [""],
  ["203.0.113.9"],
  ["203.0.113.9", "198.51.100.1, 127.0.0.2"],
  ["127.0.0.1"],
  ["unknown", "[", "203.0.113.9,"],
];

/** The addresses that the server sees of a client over IPv4 and IPv6 with each of these headers. */
async function readAddresses(proxy: ReverseProxy): Promise<ReadonlySet<string>> {
  const addresses = new Set<string>();
  for (const forwarded of forgeries) {
    for (const options of [{ from: client }, { to: "::1" }] as const) {
      const text = await proxy.fetch("/api/auth-status/", { ...options, forwarded });
      addresses.add((JSON.parse(text) as { readonly username: string }).username);
    }
  }
  return addresses;
}

/** Requests the page of a mailed link, and returns the proxy's log once it has the request. */
async function logLink(proxy: ReverseProxy, path: string): Promise<string> {
  await proxy.fetch(`${path}?purpose=reset&token=canary`);
  const line = new RegExp(`"GET ${path} HTTP/1.1"|"uri": "${path}"`);
  await waitFor(async () => expect(await proxy.readLog()).toMatch(line));
  return proxy.readLog();
}

/** Old versions of TLS need weak hashes, which OpenSSL allows at this level only. */
const anyCipher = "DEFAULT@SECLEVEL=0";

/** Returns the version of a connection, or the code of the error. */
async function connectWith(url: string, version: SecureVersion): Promise<string | null> {
  const { hostname: host, port } = new URL(url);
  const versions = { minVersion: version, maxVersion: version, ciphers: anyCipher };
  const socket = connect({
    host,
    port: Number(port),
    servername: proxiedHost,
    ...versions,
    rejectUnauthorized: false,
  });
  try {
    await once(socket, "secureConnect");
    return socket.getProtocol();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? null;
  } finally {
    socket.destroy();
  }
}

const nginx = {
  name: "nginx",
  start: startNginx,
  outer: { "proxy_http_version 1.1;": "proxy_http_version 1.1; proxy_bind 127.0.0.2;" },
  weak: { "ssl_certificate ": `ssl_ciphers ${anyCipher};\n    ssl_certificate ` },
  hasty: {},
};
const haproxy = {
  name: "HAProxy",
  start: startHaproxy,
  outer: { "timeout connect 5s": "timeout connect 5s\n    source 127.0.0.2" },
  weak: { " ssl crt": ` ssl ciphers ${anyCipher} crt` },
  // HAProxy tries to reach a server that is down for three seconds.
  hasty: { "timeout connect 5s": "timeout connect 5s\n    retries 0" },
};
const caddy = {
  name: "Caddy",
  start: startCaddy,
  // It knows no older versions.
  weak: {},
  hasty: { "lb_try_duration 3s": "" },
};

describe.each([nginx, haproxy, caddy])("$name", ({ start, weak, hasty }) => {
  test("passes the client's address on, and writes the token of a mailed link into no log", async () => {
    await using proxy = await start([server.url]);
    expect(await readAddresses(proxy)).toEqual(new Set([client, "::1"]));
    for (const path of ["/setPassword", "/setpassword/"])
      expect(await logLink(proxy, path)).not.toContain("canary");
    expect(server.log.join("\n")).toContain('"/setPassword"');
    expect(server.log.join("\n")).not.toContain("canary");
  });

  test("keeps the health and the metrics of the server to its own host", async () => {
    await using proxy = await start([server.url]);
    for (const path of ["/healthz", "/metrics", "/healthz?a", "/%68ealthz", "/metric%73", "/readyz"])
      await proxy.fetch(path);
    expect(server.log.join("\n")).toContain('"/readyz"');
    expect(server.log.join("\n")).not.toMatch(/healthz|metrics/);
  });

  test("writes no token when the server is down", async () => {
    await using proxy = await start([`http://127.0.0.1:${await freePort()}`], hasty);
    expect(await logLink(proxy, "/setPassword")).not.toContain("canary");
  });

  test("gives the requests of a server that is down to another one", async () => {
    const down = `http://127.0.0.1:${await freePort()}`;
    await using proxy = await start([down, server.url]);
    const texts = await Promise.all(Array.from({ length: 8 }, () => proxy.fetch("/api/auth-status/")));
    expect(new Set(texts)).toEqual(new Set(['{"isAuthenticated":false,"username":"127.0.0.1"}']));
  });

  test("accepts TLS 1.2 and 1.3 only, whatever OpenSSL allows", async () => {
    await using proxy = await start(["http://127.0.0.1:1"], weak);
    for (const version of ["TLSv1.3", "TLSv1.2"] as const)
      expect(await connectWith(proxy.url, version)).toBe(version);
    for (const version of ["TLSv1.1", "TLSv1"] as const)
      expect(await connectWith(proxy.url, version)).toBe("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION");
  });
});

test.each([
  { outer: nginx, inner: haproxy },
  { outer: haproxy, inner: nginx },
])("behind $outer.name and $inner.name the address is the client's", async ({ outer, inner }) => {
  await using near = await inner.start([server.url]);
  await using far = await outer.start([near.url], outer.outer);
  expect(await readAddresses(far)).toEqual(new Set([client, "::1"]));
});
