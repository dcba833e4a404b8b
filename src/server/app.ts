import { join } from "node:path";
import { Hono } from "hono";
import { createLinkReader } from "./agents/node-links.ts";
import { createAuthenticateToken } from "./api/tokens/authenticate-token.ts";
import { createAuthenticate } from "./api/authenticate.ts";
import { createClientAddressReader } from "./api/client-address.ts";
import { createErrorHandler, respondUnknownCall } from "./api/errors.ts";
import { guardRequests } from "./api/guard.ts";
import type { Handlers } from "./api/handlers.ts";
import { createOpenApiDocument } from "./api/description/openapi.ts";
import { listFrameSources } from "./config/profile.ts";
import { findPublicUrl, listPublicUrls } from "../domain/public-urls.ts";
import { logRequests } from "./log.ts";
import { serveCalls } from "./api/serve-calls.ts";
import type { AppContext } from "./context.ts";
import { assertMayDeploy } from "./features/accounts/blocks.ts";
import { accountHandlers } from "./features/accounts/handlers.ts";
import { kioubitRoute } from "./features/accounts/kioubit/kioubit-route.ts";
import type { Passwords } from "./features/accounts/passwords.ts";
import { listWaysIn } from "./features/accounts/proofs/ways-in.ts";
import { activityHandlers } from "./features/activity/handlers.ts";
import { contactHandlers } from "./features/contact/handlers.ts";
import { arrivalRoute } from "./features/health/arrival-route.ts";
import { healthRoutes } from "./features/health/health-routes.ts";
import { readinessRoute } from "./features/health/readiness-route.ts";
import type { LiveEvents } from "./features/live/live-events.ts";
import { liveRoute } from "./features/live/live-route.ts";
import { nodeHandlers } from "./features/nodes/handlers.ts";
import { joinHandlers } from "./features/nodes/join/handlers.ts";
import { observationHandlers } from "./features/observations/handlers.ts";
import { peeringHandlers } from "./features/peerings/handlers.ts";
import { routerQueryHandlers } from "./features/peerings/router-queries/handlers.ts";
import { createQueryLimits } from "./features/peerings/router-queries/query-router.ts";
import { pushHandlers } from "./features/push/handlers.ts";
import { refusedRouteHandlers } from "./features/refused-routes/handlers.ts";
import { renderApiPage } from "./site/api-page.ts";
import { roundTripHandlers } from "./features/round-trips/handlers.ts";
import { serveApp } from "./site/app-files.ts";
import { readVersion } from "./config/version.ts";
import {
  hashHeaders,
  hashInlineScripts,
  securityHeaders,
  type SecurityHeaderOptions,
} from "./site/security-headers.ts";

export interface AppOptions {
  readonly live: Pick<LiveEvents, "open" | "noteResponse">;
  /** How long a deployment waits for an unreachable node. */
  readonly waitMs: number;
  /** The folder of the built web app. */
  readonly webDir: string;
  /** True if the nodes are simulated and mail is stored instead of sent. */
  readonly demo: boolean;
  /** How passwords are hashed; tests pass a fast way. */
  readonly passwords: Passwords | undefined;
  /** Routes that only this installation has, such as the demo's outbox. They take precedence over the app's files. */
  readonly extraRoutes: Hono;
}

/** Creates the routes of the server: the API, the API page, the live event stream and the web app's files. */
export function createApp(context: AppContext, options: AppOptions): Hono {
  const { profile, log, loginSessions, registry } = context;
  const links = createLinkReader(context.agents);
  const routerQueries = { ...context, limits: createQueryLimits(context.rateLimits.queryPerAs) };
  const handlers: Handlers = {
    ...accountHandlers(context, options.passwords),
    ...activityHandlers(context),
    ...contactHandlers(context),
    ...peeringHandlers({
      ...context,
      waitMs: options.waitMs,
      onStatusRead: (subject, observed) => options.live.noteResponse(subject, observed),
      registry,
      assertMayDeploy: (tx, asn) => assertMayDeploy(tx, asn, profile),
    }),
    ...routerQueryHandlers(routerQueries),
    ...refusedRouteHandlers(routerQueries),
    ...roundTripHandlers(context),
    ...nodeHandlers({
      ...context,
      links,
      demo: options.demo,
      listWaysIn: (publicUrl) => listWaysIn(context, publicUrl),
    }),
    ...joinHandlers(context),
    ...observationHandlers({ ...context, links }),
    ...pushHandlers(context),
  };
  const urls = listPublicUrls(profile);
  const about = { name: profile.name, version: readVersion(), urls };
  const documents = new Map(
    urls.map((url) => [url, JSON.stringify(createOpenApiDocument({ ...about, url }))]),
  );
  const page = renderApiPage(createOpenApiDocument({ ...about, url: profile.publicUrl }));
  const tileOrigin = URL.parse(profile.facts.map.tiles)?.origin ?? null;
  const headers: SecurityHeaderOptions = {
    urls: profile,
    hstsIncludeSubdomains: profile.hstsIncludeSubdomains,
    scripts: hashInlineScripts(options.webDir),
    frames: listFrameSources(profile),
    tileOrigin,
  };
  const readClientAddress = createClientAddressReader({ ...context, trustedProxies: profile.trustedProxies });
  const authenticate = createAuthenticate({
    findLoginSession: (token) => loginSessions.find(token),
    urls: profile,
    readClientAddress,
  });
  const authenticateToken = createAuthenticateToken({ ...context, urls: profile, readClientAddress });

  const app = new Hono();
  app.onError(createErrorHandler(log));
  app.use(logRequests(log));
  app.use(securityHeaders(headers));
  app.use("/api/*", guardRequests(profile));
  app.route("/", healthRoutes(context));
  app.route("/", readinessRoute(context));
  app.route("/", arrivalRoute(context));
  app.get("/api/openapi.json", (request) =>
    request.body(documents.get(findPublicUrl(profile, request.req.header("host"))) ?? "", 200, {
      "content-type": "application/json",
    }),
  );
  app.get("/api/", (request) => request.html(page));
  app.route("/", kioubitRoute({ ...context, authenticate }));
  app.route("/", serveCalls(handlers, { authenticate, authenticateToken }));
  app.route("/", liveRoute({ live: options.live, authenticate, urls: profile }));
  app.all("/api/*", respondUnknownCall);
  app.route("/", options.extraRoutes);
  app.route(
    "/",
    serveApp(options.webDir, {
      name: profile.name,
      headersVersion: hashHeaders(headers),
      previousBuildsDir: join(context.environment.dataDir, "previous-builds"),
      log,
    }),
  );
  return app;
}
