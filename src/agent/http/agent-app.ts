import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type AgentCalls, agentCalls } from "../../contract/agent.ts";
import { readBody } from "../../contract/body.ts";
import type { Log } from "../log.ts";
import type { Handlers } from "./handlers.ts";
import { failureOf } from "./http-failure.ts";

export interface AgentAppOptions {
  readonly handlers: Handlers;
  readonly log: Log;
}

const maxBodyBytes = 64 * 1024;

/** Serves the table `agentCalls`. Who may call is settled before a request gets here. */
export function createAgentApp({ handlers, log }: AgentAppOptions): Hono {
  const app = new Hono();
  app.use(
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: (context) =>
        context.json({ message: `The body is larger than ${maxBodyBytes} bytes. Nothing was changed.` }, 413),
    }),
  );
  for (const name of Object.keys(agentCalls) as Array<keyof AgentCalls>) serve(app, name, handlers[name]);
  app.notFound((context) =>
    context.json({ message: `The agent has no call ${context.req.method} ${context.req.path}.` }, 404),
  );
  app.onError((error, context) => {
    const { status, failure } = failureOf(error);
    if (status === 500) log.error({ err: error, path: context.req.path }, "a call failed");
    return context.json(failure, status);
  });
  return app;
}

function serve<Name extends keyof AgentCalls>(app: Hono, name: Name, handle: Handlers[Name]): void {
  const call = agentCalls[name];
  app.on(call.method, call.path, async (context) => {
    const read = readBody(call, await context.req.text());
    if (!read.ok) return context.json(read.failure, read.status);
    return context.json(await handle(read.body, context.req.raw.signal));
  });
}
