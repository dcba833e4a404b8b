/**
 * The console of an engine whose driver does not show it. WebKitWebDriver has no log command, and private windows print
 * nothing. This server is in front of the app's server and inserts a script into its pages, which reports to it.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listenLocally, type LocalServer } from "../e2e/local-server.ts";
import { forward } from "../e2e/network-proxy.ts";
import { watchPage } from "./page-watcher.ts";

/** Its address is the one that the browser uses for the server. */
export interface ConsoleCapture extends LocalServer {
  readonly errors: readonly string[];
}

const reportPath = "/captured-console";
/** A compressed page could not be changed. */
const uncompressed = { "accept-encoding": "identity" };

export async function startConsoleCapture(target: string): Promise<ConsoleCapture> {
  const errors: string[] = [];
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === reportPath) {
      incoming.on("end", () => outgoing.end());
      incoming.setEncoding("utf8").on("data", (report: string) => errors.push(report));
    } else
      forward(
        target,
        incoming,
        outgoing,
        (response) => {
          if (response.headers["content-type"]?.startsWith("text/html") === true) {
            void text(response).then(
              (page) => sendWatched(page, response, outgoing),
              () => outgoing.destroy(),
            );
          } else {
            outgoing.writeHead(response.statusCode ?? 502, response.headers);
            response.pipe(outgoing);
          }
        },
        uncompressed,
      );
  });
  return { ...(await listenLocally(server)), errors };
}

/** Sends a page with the script, and a security policy that allows it. */
function sendWatched(
  page: string,
  { statusCode = 502, headers: received }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { "content-length": _, "content-security-policy": policy, ...others } = received;
  const allowed = String(policy).replace("script-src", `script-src '${scriptHash}'`);
  outgoing.writeHead(statusCode, {
    ...others,
    ...(policy !== undefined && { "content-security-policy": allowed }),
  });
  outgoing.end(page.replace(/<head[^>]*>/, `$&<script>${script}</script>`));
}

/** Sends synchronously, so that no report is lost when the page is left. */
function captureConsole(path: string): void {
  const report = (message: string) => {
    const sending = new XMLHttpRequest();
    sending.open("POST", path, false);
    sending.send(message);
  };
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page has only this function.
  const describe = (value: unknown) =>
    value instanceof Error ? `${String(value)} ${value.stack ?? ""}` : String(value);
  for (const level of ["error", "warn"] as const) {
    const original = console[level].bind(console);
    console[level] = (...values: readonly unknown[]) => {
      report(values.map(describe).join(" "));
      original(...values);
    };
  }
  window.addEventListener("error", ({ error, message }) => report(error ? describe(error) : message));
}

const script = `(${String(captureConsole)})(${JSON.stringify(reportPath)});(${String(watchPage)})();`;
const scriptHash = `sha256-${createHash("sha256").update(script).digest("base64")}`;
