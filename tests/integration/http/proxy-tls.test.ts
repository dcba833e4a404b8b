/** Which versions of TLS the reverse proxies accept with the files of docs/reverse-proxy.md. */
import { once } from "node:events";
import { connect, type SecureVersion } from "node:tls";
import { expect, test } from "vitest";
import { startHaproxy, startNginx } from "./reverse-proxies.ts";

/** Old versions need weak hashes, which OpenSSL allows at this level only. */
const anyCipher = "DEFAULT@SECLEVEL=0";

/** Returns the version of a connection, or the code of the error. */
async function connectWith(url: string, version: SecureVersion): Promise<string | null> {
  const { hostname: host, port } = new URL(url);
  const socket = connect({
    host,
    port: Number(port),
    minVersion: version,
    maxVersion: version,
    ciphers: anyCipher,
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

test.each([
  {
    name: "nginx",
    start: startNginx,
    weak: { "ssl_certificate ": `ssl_ciphers ${anyCipher};\n    ssl_certificate ` },
  },
  { name: "HAProxy", start: startHaproxy, weak: { " ssl crt": ` ssl ciphers ${anyCipher} crt` } },
])("$name accepts TLS 1.2 and 1.3 only, whatever OpenSSL allows", async ({ start, weak }) => {
  await using proxy = await start("http://127.0.0.1:1", weak);
  expect(await connectWith(proxy.url, "TLSv1.3")).toBe("TLSv1.3");
  expect(await connectWith(proxy.url, "TLSv1.2")).toBe("TLSv1.2");
  for (const version of ["TLSv1.1", "TLSv1"] as const) {
    expect(await connectWith(proxy.url, version)).toBe("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION");
  }
});
