import { Hono } from "hono";
import type { Logger } from "pino";
import { calls } from "../contract/calls.ts";
import { frameSources } from "./config/frame-sources.ts";
import { accountHandlers, type AccountDeps } from "./features/accounts/handlers.ts";
import type { Sessions } from "./features/accounts/sessions.ts";
import { contactHandlers, type ContactDeps } from "./features/contact/handlers.ts";
import { deploymentHandlers } from "./features/deployments/handlers.ts";
import type { Live } from "./features/live/live.ts";
import { liveRoute } from "./features/live/route.ts";
import { nodeHandlers, type NodeDeps } from "./features/nodes/handlers.ts";
import { presentProvider } from "./features/nodes/provider.ts";
import { observationHandlers } from "./features/observations/handlers.ts";
import { pushHandlers, type PushDeps } from "./features/push/handlers.ts";
import { peeringHandlers } from "./features/peerings/handlers.ts";
import type { SubmissionDeps } from "./features/peerings/submit.ts";
import { apiPage } from "./http/api-page.ts";
import { serveApp } from "./http/app-files.ts";
import { answerErrors, answerUnknownApi } from "./http/errors.ts";
import { guardRequests } from "./http/guard.ts";
import type { Handlers } from "./http/handlers.ts";
import { headersVersion, securityHeaders, type SecurityHeaderOptions } from "./http/headers.ts";
import { inlineScripts } from "./http/inline-scripts.ts";
import { openApiDocument } from "./http/openapi.ts";
import { createReadExchange } from "./http/read-exchange.ts";
import { logRequests } from "./http/request-log.ts";
import { serveCalls } from "./http/serve-calls.ts";

export type AppDeps = AccountDeps &
  ContactDeps &
  SubmissionDeps &
  NodeDeps &
  PushDeps & {
    readonly log: Logger;
    readonly sessions: Sessions;
    readonly live: Pick<Live, "open">;
    /** The built web app's folder. */
    readonly webDir: string;
    /** Where the web app's files outlive the build that they were part of. */
    readonly formerFilesDir: string;
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
    ...pushHandlers(deps),
    provider: async () => provider,
  };
  const document = openApiDocument(calls, { title: `${profile.name} peering API`, url: profile.publicUrl });
  const page = apiPage(document);

  const app = new Hono();
  app.onError(answerErrors(log));
  app.use(logRequests(log));
  const tileOrigin = URL.parse(profile.facts.map.tiles)?.origin ?? null;
  const headers: SecurityHeaderOptions = {
    secure,
    scripts: inlineScripts(deps.webDir),
    frames: frameSources(profile),
    tileOrigin,
  };
  app.use(securityHeaders(headers));
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
  app.route("/", liveRoute({ live: deps.live, readExchange, publicUrl: profile.publicUrl }));
  app.all("/api/*", answerUnknownApi);
  app.route("/", deps.extraRoutes);
  app.route(
    "/",
    serveApp(deps.webDir, {
      name: profile.name,
      headersVersion: headersVersion(headers),
      formerFiles: deps.formerFilesDir,
      log,
    }),
  );
  return app;
}
