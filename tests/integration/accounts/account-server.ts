import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type { Logger } from "pino";
import { type Prefix, prefix } from "#domain/prefix.ts";
import { accountHandlers } from "#server/features/accounts/handlers.ts";
import { kioubitRoute } from "#server/features/accounts/kioubit/kioubit-route.ts";
import type { KioubitProfile } from "#server/config/profile.ts";
import { openKnownClients } from "#server/api/known-clients.ts";
import { createRateLimits } from "#server/api/rate-limits.ts";
import { createPasswordHasher } from "#server/features/accounts/passwords.ts";
import { createNoticeMails } from "#server/features/accounts/notices/notice-mails.ts";
import { createLoginSessions } from "#server/api/login-sessions.ts";
import { activityHandlers } from "#server/features/activity/handlers.ts";
import { contactHandlers } from "#server/features/contact/handlers.ts";
import type { Deliver } from "#server/mail/mail.ts";
import { createMailOutbox } from "#server/mail/outbox.ts";
import { createRegistry, type Registry } from "#server/registry/registry.ts";
import { createFolderSource, type RegistrySource } from "#server/registry/registry-source.ts";
import { createErrorHandler, respondUnknownCall } from "#server/api/errors.ts";
import { guardRequests } from "#server/api/guard.ts";
import type { Handlers } from "#server/api/handlers.ts";
import { securityHeaders } from "#server/site/security-headers.ts";
import { createLog, logRequests } from "#server/log.ts";
import { createAuthenticateToken } from "#server/api/tokens/authenticate-token.ts";
import { createAuthenticate } from "#server/api/authenticate.ts";
import { createClientAddressReader } from "#server/api/client-address.ts";
import { serveCalls } from "#server/api/serve-calls.ts";
import { createHttpServer } from "#system/http-server.ts";
import { listen } from "#system/listen.ts";
import { repository } from "../../support/repository.ts";
import { testSealer } from "../../support/test-sealer.ts";
import { openAsServer, openSqlite, type TestDatabase } from "../../support/databases.ts";
import { deriveFast } from "../../support/fast-passwords.ts";
import { demoProfile } from "../server/profile-server.ts";

type RequestHeaders = Readonly<Record<string, string>>;

export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export type AccountServer = Awaited<ReturnType<typeof serveAccounts>>;

export interface AccountServerOptions {
  readonly publicUrl?: string;
  readonly otherPublicUrls?: readonly string[];
  readonly registry?: Partial<Registry>;
  /** Creates the source of the registry; by default the demo's sample. */
  readonly createRegistrySource?: (deps: {
    readonly clock: () => number;
    readonly runExclusive: (work: () => Promise<void>) => Promise<boolean>;
    readonly log: Logger;
  }) => RegistrySource;
  /** By default, Kioubit's authentication service is not used. */
  readonly kioubit?: KioubitProfile;
  /** Domains that the mail server cannot reach; by default none. */
  readonly unreachableDomains?: readonly string[];
  readonly limits?: Parameters<typeof createRateLimits>[1];
  /** Default: 127.0.0.1. */
  readonly trustedProxies?: readonly Prefix[];
  /** Replaces fast hashing and a long queue; what is absent is as in production. */
  readonly passwords?: Parameters<typeof createPasswordHasher>[0];
  /** Delivers mail; by default mail is only stored. */
  readonly deliver?: Deliver;
  /** Replaces single handlers. */
  readonly handlers?: Partial<Handlers>;
}

const highLimit = { points: 1000, seconds: 60 };

/**
 * Serves the account and contact calls behind the server's middleware, on a free port.
 *
 * @param at null for a new SQLite database
 */
export async function serveAccounts(at: TestDatabase | null, options: AccountServerOptions = {}) {
  await using parts = new AsyncDisposableStack();
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => void lines.push(line) });
  const database = parts.use(
    await openAsServer(at ?? (await openSqlite(parts)), (error) =>
      log.error({ err: error }, "database connection error"),
    ),
  );
  const { db, events, locks, createRateLimiter } = database;
  let now = Date.UTC(2026, 0, 20);
  let derivations = 0;
  const clock = () => now;
  const urls = {
    publicUrl: options.publicUrl ?? "http://peering.example.net",
    otherPublicUrls: options.otherPublicUrls ?? [],
  };
  const trustedProxies = options.trustedProxies ?? [prefix("127.0.0.1/32")];
  const loginSessions = createLoginSessions({ db, events, clock, retentionClock: clock });
  const mailOutbox = parts.use(
    createMailOutbox({
      db,
      sealer: testSealer,
      locks,
      clock,
      retentionClock: clock,
      log,
      deliver: options.deliver ?? null,
      supportAddress: "support@example.net",
    }),
  );
  const source =
    options.createRegistrySource?.({
      clock,
      log,
      runExclusive: (work) => locks.tryExclusive("registry", work),
    }) ?? createFolderSource(join(repository, "src/demo/registry"));
  const context = {
    db,
    events,
    loginSessions,
    mailOutbox,
    clock,
    retentionClock: clock,
    nodes: { find: () => null, list: () => [] },
    profile: {
      ...demoProfile,
      asn: "4242422227",
      name: "Example Network",
      supportAddress: "support@example.net",
      kioubit: options.kioubit ?? null,
      ...urls,
    },
    registry: {
      ...createRegistry({
        source,
        maxAgeDays: 7,
        clock,
        log,
        unreachableDomains: options.unreachableDomains ?? [],
      }),
      ...options.registry,
    },
    knownClients: await openKnownClients(db, testSealer),
    rateLimits: createRateLimits(createRateLimiter, {
      mailPerAsAndClient: highLimit,
      mailPerAs: highLimit,
      mailPerClient: highLimit,
      mailOfServer: highLimit,
      setPasswordPerClient: highLimit,
      ...options.limits,
    }),
  };
  const noticeMails = parts.use(createNoticeMails({ ...context, locks, log }));
  noticeMails.start();
  const passwords = createPasswordHasher({
    derive: (...given) => {
      derivations += 1;
      return deriveFast(...given);
    },
    ...(options.passwords ?? { maxWaiting: 1000 }),
  });

  const app = new Hono();
  app.onError(createErrorHandler(log));
  app.use(logRequests(log));
  app.use(securityHeaders({ urls }));
  app.use("/api/*", guardRequests(urls));
  const handlers = {
    ...accountHandlers(context, passwords),
    ...activityHandlers(context),
    ...contactHandlers(context),
    ...options.handlers,
  } as Handlers;
  const readClientAddress = createClientAddressReader({ trustedProxies, log, clock });
  const authenticate = createAuthenticate({
    findLoginSession: (token) => loginSessions.find(token),
    urls,
    readClientAddress,
  });
  app.route("/", kioubitRoute({ ...context, log, authenticate }));
  const authenticateToken = createAuthenticateToken({ ...context, urls, readClientAddress });
  app.route("/", serveCalls(handlers, { authenticate, authenticateToken }));
  app.all("/api/*", respondUnknownCall);

  const serve = getRequestListener(app.fetch);
  const httpServer = createHttpServer((request, response) => void serve(request, response));
  const { address } = parts.use(await listen(httpServer, { host: "127.0.0.1", port: 0, graceMs: 0 }));
  const url = `http://127.0.0.1:${address.port}`;
  const running = parts.move();

  async function send(path: string, init: RequestInit): Promise<JsonResponse> {
    const response = await fetch(`${url}${path}`, init);
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  return {
    url,
    database,
    clock,
    mailOutbox,
    /** The lines logged so far. */
    log: lines as readonly string[],
    /** How many password hashes were computed. */
    derivations: () => derivations,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    post: (path: string, body: unknown, headers?: RequestHeaders) =>
      send(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    get: (path: string, headers?: RequestHeaders) => send(path, { ...(headers && { headers }) }),
    /** Returns the token in the newest mail to an address. */
    mailedToken: async (to: string) => {
      const mails = await mailOutbox.listMails();
      const token = /setPassword\?token=([\w-]+)/.exec(mails.find((mail) => mail.to === to)?.text ?? "")?.[1];
      if (token === undefined) throw new Error(`no link was mailed to ${to}`);
      return token;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export const goodPassword = "four quiet routers humming";

/** Registers AS4242420001, logs in and returns the cookie header. */
export async function registerAndLogIn(server: AccountServer): Promise<Record<string, string>> {
  await register(server);
  return logIn(server, goodPassword);
}

export async function register(server: AccountServer): Promise<void> {
  await server.post("/api/sendEmailVerification", { asn: "4242420001" });
  const token = await server.mailedToken("ada@example.org");
  const set = await server.post("/api/setPassword", { token, password: goodPassword });
  if (set.status !== 200) throw new Error("the account was not created");
}

/** Returns the cookie header; without a value if the login was rejected. */
export async function logIn(
  server: AccountServer,
  password: string,
  username = "4242420001",
): Promise<Record<string, string>> {
  return cookieOf(await server.post("/api/login/", { username, password }));
}

/** The cookie header of a login session. */
export function cookieOf({ headers }: JsonResponse): Record<string, string> {
  return { cookie: headers.getSetCookie()[0]?.split(";")[0] ?? "" };
}

export async function isLoggedIn(server: AccountServer, session: Record<string, string>): Promise<boolean> {
  const { body } = await server.get("/api/auth-status/", session);
  return (body as { readonly isAuthenticated: boolean }).isAuthenticated;
}
