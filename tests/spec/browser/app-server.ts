/**
 * Serves the built web app, with a mock backend for each visitor. A cookie alone identifies the visitor, so a call
 * without credentials reaches no backend.
 */
import { once } from "node:events";
import { join } from "node:path";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { HttpResponse } from "msw";
import { serveApp } from "#server/site/app-files.ts";
import { repository } from "../../support/repository.ts";
import { type Backend, createScriptedBackend, type ScriptedBackend } from "../../support/scripted-backend.ts";

export const visitorCookie = "visitor";
/** A page of the app's origin without the app. */
export const emptyPage = "/between-rows";

export interface AppServer extends AsyncDisposable {
  readonly url: string;
  /** Creates the backend for requests with this value in the visitor's cookie. */
  readonly createBackend: (visitor: string) => Backend;
}

export async function startAppServer(): Promise<AppServer> {
  const backends = new Map<string, ScriptedBackend>();
  const withoutCredentials: string[] = [];
  const app = new Hono<{ Bindings: HttpBindings }>();
  const respond = async (request: Request, { outgoing }: HttpBindings) => {
    const visitor = new RegExp(`\\b${visitorCookie}=([\\w-]+)`).exec(
      request.headers.get("cookie") ?? "",
    )?.[1];
    const backend = backends.get(visitor ?? "");
    if (!backend) withoutCredentials.push(new URL(request.url).pathname);
    const response = await backend?.receive(request);
    if (response?.type === "error") {
      outgoing.destroy();
      return RESPONSE_ALREADY_SENT;
    }
    return response ?? HttpResponse.json({ message: "No backend belongs to this cookie." }, { status: 401 });
  };
  app.all("/api/*", ({ req, env }) => respond(req.raw, env));
  app.get("/provider.json", ({ req, env }) => respond(req.raw, env));
  app.get(emptyPage, ({ html }) => html("<!doctype html><title>Between rows</title>"));
  app.route("/", serveApp(join(repository, "build/web")));

  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    createBackend: (visitor) => {
      const before = withoutCredentials.length;
      const backend = createScriptedBackend(() => withoutCredentials.slice(before));
      backends.set(visitor, backend);
      return backend;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
    },
  };
}
