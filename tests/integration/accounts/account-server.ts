import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { type Database, openDatabase } from "../../../src/server/db/open.ts";
import { accountHandlers } from "../../../src/server/features/accounts/handlers.ts";
import { createFamiliarClients } from "../../../src/server/features/accounts/familiar-clients.ts";
import { createLimits } from "../../../src/server/features/accounts/limits.ts";
import { deriveArgon2id } from "../../../src/server/features/accounts/password-hash.ts";
import { createPasswords } from "../../../src/server/features/accounts/passwords.ts";
import { createSessions } from "../../../src/server/features/accounts/sessions.ts";
import { contactHandlers } from "../../../src/server/features/contact/handlers.ts";
import type { Deliver } from "../../../src/server/features/mail/mail.ts";
import { createOutbox, type Outbox } from "../../../src/server/features/mail/outbox.ts";
import { createRegistry, type Registry } from "../../../src/server/features/registry/registry.ts";
import { answerErrors, answerUnknownApi } from "../../../src/server/http/errors.ts";
import { guardRequests } from "../../../src/server/http/guard.ts";
import type { Handlers } from "../../../src/server/http/handlers.ts";
import { securityHeaders } from "../../../src/server/http/headers.ts";
import { createLog } from "../../../src/server/http/log.ts";
import { createReadExchange } from "../../../src/server/http/read-exchange.ts";
import { logRequests } from "../../../src/server/http/request-log.ts";
import { serveCalls } from "../../../src/server/http/serve-calls.ts";
import type { TestDatabase } from "../../setup/databases.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface AccountServer extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
  readonly outbox: Outbox;
  /** Every line logged so far. */
  readonly log: readonly string[];
  /** How many passwords were hashed or compared. */
  derivations(): number;
  pass(milliseconds: number): void;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The token of the newest mail to an address. */
  mailedToken(to: string): Promise<string>;
}

export interface AccountServerOptions {
  readonly publicUrl?: string;
  readonly registry?: Partial<Registry>;
  readonly limits?: Parameters<typeof createLimits>[0];
  /** How passwords are hashed, in the place of argon2id with a long queue. */
  readonly passwords?: Parameters<typeof createPasswords>[0];
  /** The way to a mail server; without it mail is kept. */
  readonly deliver?: Deliver;
  /** Handlers in the place of the real ones. */
  readonly handlers?: Partial<Handlers>;
}

const sampleRegistry = fileURLToPath(new URL("../../../src/demo/registry", import.meta.url));
const roomy = { points: 1000, seconds: 60 };

export const profile = {
  asn: "4242422227",
  name: "Example Network",
  supportAddress: "support@example.net",
};

/** The account and contact calls behind everything that stands before them, on a port of its own. */
export async function serveAccounts(
  at: TestDatabase,
  options: AccountServerOptions = {},
): Promise<AccountServer> {
  await using parts = new AsyncDisposableStack();
  const log: string[] = [];
  const logger = createLog("trace", { write: (line) => void log.push(line) });
  const database = parts.use(
    await openDatabase({
      dataDir: at.kind === "sqlite" ? at.dataDir : "",
      url: at.kind === "postgres" ? at.url : null,
      onError: (error) => logger.error({ err: error }, "database events"),
    }),
  );
  const { db, events, locks } = database;
  let now = Date.UTC(2026, 0, 20);
  let derivations = 0;
  const clock = () => now;
  const publicUrl = options.publicUrl ?? "http://peering.example.net";
  const secure = publicUrl.startsWith("https:");
  const sessions = createSessions({ db, events, clock });
  const outbox = createOutbox({ db, locks, clock, log: logger, deliver: options.deliver ?? null });
  parts.use(outbox);
  const deps = {
    db,
    sessions,
    outbox,
    clock,
    profile: { ...profile, publicUrl },
    registry: { ...createRegistry({ path: sampleRegistry, maxAgeDays: 7, clock }), ...options.registry },
    passwords: createPasswords({
      derive: (...given) => {
        derivations += 1;
        return deriveArgon2id(...given);
      },
      waiting: 1000,
      ...options.passwords,
    }),
    familiarClients: createFamiliarClients(),
    accountLimits: createLimits({
      mailPerAs: roomy,
      mailPerClient: roomy,
      setPasswordPerClient: roomy,
      ...options.limits,
    }),
  };

  const app = new Hono();
  app.onError(answerErrors(logger));
  app.use(logRequests(logger));
  app.use(securityHeaders({ secure }));
  app.use("/api/*", guardRequests({ publicUrl }));
  const handlers = { ...accountHandlers(deps), ...contactHandlers(deps), ...options.handlers } as Handlers;
  const readExchange = createReadExchange({
    findSession: (token) => sessions.find(token),
    secure,
    trustedProxies: ["127.0.0.1"],
  });
  app.route("/", serveCalls(handlers, readExchange));
  app.all("/api/*", answerUnknownApi);

  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  parts.defer(async () => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  const url = `http://127.0.0.1:${address.port}`;
  const running = parts.move();

  async function ask(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(`${url}${path}`, init);
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  return {
    url,
    database,
    outbox,
    log,
    derivations: () => derivations,
    pass: (milliseconds) => {
      now += milliseconds;
    },
    post: (path, body, headers) =>
      ask(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    get: (path, headers) => ask(path, { ...(headers && { headers }) }),
    mailedToken: async (to) => {
      const mails = await outbox.kept();
      const token = /setPassword\?token=(\S+)/.exec(mails.find((mail) => mail.to === to)?.text ?? "")?.[1];
      if (token === undefined) throw new Error(`no link was mailed to ${to}`);
      return token;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export const goodPassword = "four quiet routers humming";

/** Registers AS4242420001 and answers the cookie of a session. */
export async function signedIn(server: AccountServer): Promise<Record<string, string>> {
  await register(server);
  return signIn(server, goodPassword);
}

export async function register(server: AccountServer): Promise<void> {
  await server.post("/api/sendEmailVerification", { asn: "4242420001" });
  const token = await server.mailedToken("ada@example.org");
  const set = await server.post("/api/setPassword", { token, password: goodPassword });
  if (set.status !== 200) throw new Error("the account could not be made");
}

export async function signIn(server: AccountServer, password: string): Promise<Record<string, string>> {
  const { headers } = await server.post("/api/login/", { username: "4242420001", password });
  const [pair = ""] = (headers.get("set-cookie") ?? "").split(";");
  return { cookie: pair };
}
