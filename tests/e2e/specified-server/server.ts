/**
 * A server that speaks the specification and nothing else: the calls of section 7, its fields, and the files of the web
 * app. It shares no code with the project's own server and contract, so that it shows what the app needs from any server.
 */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import { repository } from "../../support/repository.ts";
import { listenLocally, type LocalServer } from "../local-server.ts";
import { createCalls } from "./calls.ts";
import { type MoodName, moods } from "./moods.ts";

export interface LoggedRequest {
  /** Milliseconds since 1970, by the clock of the options. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export interface SpecifiedServer extends LocalServer {
  /** All requests so far, oldest first. */
  readonly requests: readonly LoggedRequest[];
}

export interface SpecifiedServerOptions {
  readonly mood: MoodName;
  readonly account: { readonly asn: string; readonly password: string };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const folder = path.join(repository, "build/web");
const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/** Starts the server on a free port of 127.0.0.1. It needs the built app. */
export async function startSpecifiedServer({
  mood,
  account,
  now,
}: SpecifiedServerOptions): Promise<SpecifiedServer> {
  const receive = createCalls(moods[mood], account);
  const requests: LoggedRequest[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "/", "http://server");
    const method = request.method ?? "GET";
    const at = now();
    const file = method === "GET" ? await findFile(request, pathname) : null;
    const cookie = /\bsession=(\w*)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
    const { status, type, body, ...reply } = file
      ? { status: 200, type: file.type, body: file.bytes }
      : receive({ method, path: pathname, body: parse(await readBody(request)), cookie });
    requests.push({ at, method, path: pathname, status });
    response.statusCode = status;
    if (type !== null) response.setHeader("content-type", type);
    if ("cookie" in reply) response.setHeader("set-cookie", `session=${reply.cookie}; Path=/; HttpOnly`);
    response.end(body);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  return { ...(await listenLocally(server)), requests };
}

interface File {
  readonly bytes: Buffer;
  readonly type: string;
}

/** The file at this path, or the page for a navigation; null for calls and whatever else the build does not have. */
async function findFile({ headers }: IncomingMessage, pathname: string): Promise<File | null> {
  if (pathname.startsWith("/api/")) return null;
  const isPage = pathname === "/" || headers["sec-fetch-mode"] === "navigate";
  const name = isPage && path.extname(pathname) === "" ? "/index.html" : path.posix.normalize(pathname);
  try {
    return {
      bytes: await readFile(path.join(folder, name)),
      type: types[path.extname(name)] ?? "application/octet-stream",
    };
  } catch {
    return null;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
