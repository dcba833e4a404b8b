import { Hono } from "hono";
import type { Logger } from "pino";
import { calls } from "../contract/calls.ts";
import { frameSources } from "./config/frame-sources.ts";
import { accountHandlers, type AccountDeps } from "./features/accounts/handlers.ts";
import type { Sessions } from "./features/accounts/sessions.ts";
import { contactHandlers, type ContactDeps } from "./features/contact/handlers.ts";
import { deploymentHandlers } from "./features/deployments/handlers.ts";
import { nodeHandlers, type NodeDeps } from "./features/nodes/handlers.ts";
import { presentProvider } from "./features/nodes/provider.ts";
import { observationHandlers } from "./features/observations/handlers.ts";
import { peeringHandlers } from "./features/peerings/handlers.ts";
import type { SubmissionDeps } from "./features/peerings/submit.ts";
import { apiPage } from "./http/api-page.ts";
import { serveApp } from "./http/app-files.ts";
import { answerErrors, answerUnknownApi } from "./http/errors.ts";
import { guardRequests } from "./http/guard.ts";
import type { Handlers } from "./http/handlers.ts";
import { securityHeaders } from "./http/headers.ts";
import { openApiDocument } from "./http/openapi.ts";
import { createReadExchange } from "./http/read-exchange.ts";
import { logRequests } from "./http/request-log.ts";
import { serveCalls } from "./http/serve-calls.ts";

export type AppDeps = AccountDeps &
  ContactDeps &
  SubmissionDeps &
  NodeDeps & {
    readonly log: Logger;
    readonly sessions: Sessions;
    /** The built web app's folder. */
    readonly webDir: string;
    /** True where the nodes are simulated and mail is kept. */
    readonly demo: boolean;
    /** Routes that only this deployment has, such as the demo's outbox; they come before the app's files. */
    readonly extraRoutes: Hono;
  };

/** Everything that the server answers. */
export function createApp(deps: AppDeps): Hono {
  const { profile, log } = deps;
  const secure = profile.publicUrl.startsWith("https:");
  const provider = presentProvider(profile, deps.demo);
  const handlers: Handlers = {
    ...accountHandlers(deps),
    ...contactHandlers(deps),
    ...peeringHandlers(deps),
    ...deploymentHandlers(deps),
    ...nodeHandlers(deps),
    ...observationHandlers(deps),
    provider: async () => provider,
  };
  const document = openApiDocument(calls, { title: `${profile.name} peering API`, url: profile.publicUrl });
  const page = apiPage(document);

  const app = new Hono();
  app.onError(answerErrors(log));
  app.use(logRequests(log));
  const tileOrigin = URL.parse(profile.facts.map.tiles)?.origin ?? null;
  app.use(securityHeaders({ secure, frames: frameSources(profile), tileOrigin }));
  app.use("/api/*", guardRequests({ publicUrl: profile.publicUrl }));
  app.get("/healthz", (context) => context.text("ok\n"));
  app.get("/api/openapi.json", (context) => context.json(document));
  app.get("/api/", (context) => context.html(page));
  const readExchange = createReadExchange({
    findSession: (token) => deps.sessions.find(token),
    secure,
    trustedProxies: profile.trustedProxies,
  });
  app.route("/", serveCalls(handlers, readExchange));
  app.all("/api/*", answerUnknownApi);
  app.route("/", deps.extraRoutes);
  app.route("/", serveApp(deps.webDir));
  return app;
}
