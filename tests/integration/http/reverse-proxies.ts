/** Runs nginx, HAProxy and Caddy with the configuration files of the guide, docs/reverse-proxy.md. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../support/free-port.ts";
import { testIdentity } from "../../support/test-identity.ts";

/** The host in the guide's files. */
export const proxiedHost = "peering.example.net";

/** Texts of the guide's file, with the addresses of the test, and their replacements. */
type Replacements = Readonly<Record<string, string>>;

export type ReverseProxy = Awaited<ReturnType<typeof start>>;

interface ProxiedRequest {
  /** The address to connect to; default 127.0.0.1. */
  readonly to?: "127.0.0.1" | "::1";
  /** The client's own address. */
  readonly from?: string;
  /** Lines of the X-Forwarded-For header that the client sends. */
  readonly forwarded?: readonly string[];
}

/** Starts a reverse proxy in front of servers, which have http URLs, or one of them https. */
export type StartReverseProxy = (
  upstreams: readonly [string, ...string[]],
  replacements?: Replacements,
) => Promise<ReverseProxy>;

export const startNginx: StartReverseProxy = (upstreams, replacements) =>
  start(async ({ folder, port, certificate }) => {
    const site = await readGuideFile("nginx.conf", {
      "listen 443": `listen 127.0.0.1:${port}`,
      "[::]:443": `[::1]:${port}`,
      "/etc/ssl/private/peering.example.net.pem": certificate,
      "server 127.0.0.1:4242 fail_timeout=2s;": upstreams
        .map((url) => `server ${new URL(url).host} fail_timeout=2s;`)
        .join(" "),
      "http://peerdeck": `${new URL(upstreams[0]).protocol}//peerdeck`,
      "/var/log/nginx/access.log": join(folder, "access.log"),
      ...replacements,
    });
    const main = join(folder, "nginx.conf");
    const bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    await writeFile(
      main,
      `daemon off; pid ${folder}/pid; events { worker_connections 8192; } http { ${bodies.join(" ")}\n${site} }`,
    );
    return ["/usr/sbin/nginx", "-e", "stderr", "-g", "error_log stderr;", "-c", main];
  });

export const startHaproxy: StartReverseProxy = (upstreams, replacements) =>
  start(async ({ folder, port, certificate }) => {
    const servers = upstreams.map((url, index) => {
      const { host, protocol } = new URL(url);
      const options = `${protocol === "https:" ? " ssl verify none" : ""}${upstreams.length > 1 ? " check" : ""}`;
      return `    server peerdeck${index} ${host}${options}`;
    });
    const main = join(folder, "haproxy.cfg");
    const guideFile = await readGuideFile("haproxy.cfg", {
      "bind :443": `bind 127.0.0.1:${port}`,
      "[::]:443": `[::1]:${port}`,
      "/etc/ssl/private/peering.example.net.pem": certificate,
      "    server peerdeck 127.0.0.1:4242": servers.join("\n"),
      ...replacements,
    });
    // As in Debian's file, with another place for the log.
    const defaults =
      "global\n    log stderr format raw local0\ndefaults\n    log global\n    option httplog\n";
    await writeFile(main, `${defaults}${guideFile}`);
    return ["/usr/sbin/haproxy", "-db", "-f", main];
  });

export const startCaddy: StartReverseProxy = (upstreams, replacements) =>
  start(async ({ folder, port, certificate }) => {
    const { protocol } = new URL(upstreams[0]);
    const main = join(folder, "Caddyfile");
    const guideFile = await readGuideFile("Caddyfile", {
      "auto_https disable_redirects": "auto_https disable_redirects\n\tadmin off",
      "\npeering.example.net {": `\n${proxiedHost}:${port} {\n\tbind 127.0.0.1 ::1`,
      "/etc/ssl/private/peering.example.net.pem": certificate,
      "/var/log/caddy/access.log": join(folder, "access.log"),
      "reverse_proxy 127.0.0.1:4242": `reverse_proxy ${upstreams.map((url) => new URL(url).host).join(" ")}`,
      "dial_timeout 2s": protocol === "https:" ? "tls_insecure_skip_verify" : "dial_timeout 2s",
      ...replacements,
    });
    await writeFile(main, guideFile);
    const folders = [`XDG_DATA_HOME=${folder}`, `XDG_CONFIG_HOME=${folder}`];
    return ["/usr/bin/env", ...folders, "/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", main];
  });

const guide = join(import.meta.dirname, "../../../docs/reverse-proxy");

async function readGuideFile(name: string, replacements: Replacements): Promise<string> {
  const file = await readFile(join(guide, name), "utf8");
  return Object.entries(replacements).reduce((edited, [old, replacement]) => {
    if (!edited.includes(old)) throw new Error(`${name} does not contain ${old}`);
    return edited.replaceAll(old, () => replacement);
  }, file);
}

interface ProxyFiles {
  readonly folder: string;
  readonly port: number;
  /** The path of a file with a certificate and its key. */
  readonly certificate: string;
}

/** @param configure writes the configuration and returns the command */
async function start(configure: (files: ProxyFiles) => Promise<readonly string[]>) {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-proxy-"));
  parts.defer(() => rm(folder, { recursive: true }));
  const { certificate: ca, privateKey } = await testIdentity(proxiedHost);
  const certificate = join(folder, "identity.pem");
  await writeFile(certificate, `${privateKey}${ca}`, { mode: 0o600 });
  const port = await freePort();
  const [program = "", ...flags] = await configure({ folder, port, certificate });
  const child = spawn(program, flags, { stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  parts.defer(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const failed = exited.then(() => {
    throw new Error(`${program} ended: ${printed}`);
  });
  failed.catch(() => undefined);
  await Promise.race([failed, waitUntilListening(port)]);
  const running = parts.move();
  return {
    url: `https://127.0.0.1:${port}`,
    /** Sends a request and returns the text of the response. */
    fetch: (path: string, options?: ProxiedRequest) => fetchThrough(port, ca, path, options),
    /** Everything that the proxy has logged, requests and errors. */
    readLog: async () => printed + (await readFile(join(folder, "access.log"), "utf8").catch(() => "")),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Without the tools of a test, because benchmarks start proxies, too. */
async function waitUntilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch {
      await pause(20);
    } finally {
      socket.destroy();
    }
  }
}

async function fetchThrough(
  port: number,
  ca: string,
  path: string,
  { to = "127.0.0.1", from, forwarded = [] }: ProxiedRequest = {},
): Promise<string> {
  const sent = request({
    host: to,
    port,
    path,
    ca,
    agent: false,
    servername: proxiedHost,
    ...(from !== undefined && { localAddress: from }),
    headers: { host: `${proxiedHost}:${port}`, "x-forwarded-for": [...forwarded] },
  });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return text(response);
}
