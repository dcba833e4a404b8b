import { type Context, Hono } from "hono";
import {
  getKioubitReturnPath,
  kioubitPurposes,
  type KioubitPurpose,
} from "#contract/call-tables/accounts/kioubit-calls.ts";
import { HttpError } from "#contract/http-error.ts";
import type { KioubitFailure } from "#domain/proofs/kioubit-failures.ts";
import type { Authenticate } from "#server/api/serve-calls.ts";
import type { AppContext } from "#server/context.ts";
import { finishReturn, RefusedReturnError, type ReturnContext } from "./finish-return.ts";

export type KioubitRouteDeps = ReturnContext &
  Pick<AppContext, "log"> & { readonly authenticate: Authenticate };

/** The screens that say why a return was refused. */
const startPaths: Readonly<Record<KioubitPurpose, string>> = {
  registration: "/register",
  reset: "/forgotPassword",
  login: "/login",
};

/** Where browsers come back from Kioubit's authentication service. Without the service there is no route. */
export function kioubitRoute({ authenticate, log, ...context }: KioubitRouteDeps): Hono {
  const routes = new Hono();
  const { kioubit } = context.profile;
  if (kioubit === null) return routes;
  const { publicKey } = kioubit;

  async function respond(http: Context, purpose: KioubitPurpose): Promise<Response> {
    // Only the navigation itself uses up the response.
    const isPrefetch = http.req.header("sec-purpose")?.includes("prefetch") === true;
    if (http.req.method !== "GET" || isPrefetch) return http.body(null, 405, { allow: "GET" });
    const given = {
      params: http.req.query("params") ?? "",
      signature: http.req.query("signature") ?? "",
    };
    const request = await authenticate(http);
    try {
      const path = await finishReturn(context, { ...given, purpose, publicKey }, request);
      return http.redirect(path, 303);
    } catch (error) {
      const failure = classifyFailure(error);
      const id = request.origin.requestId;
      if (failure === "failed") log.error({ err: error, id }, "a return from Kioubit's service failed");
      else log.info({ id, purpose, failure }, "a return from Kioubit's service was refused");
      return http.redirect(`${startPaths[purpose]}?kioubit=${failure}`, 303);
    }
  }

  for (const purpose of kioubitPurposes) {
    routes.on("GET", getKioubitReturnPath(purpose), (http) => respond(http, purpose));
  }
  return routes;
}

/** What the checks mean that throw for calls. A block is found before them. */
const failuresByStatus: Readonly<Partial<Record<number, KioubitFailure>>> = {
  403: "holder-changed",
  404: "no-account",
  409: "account-exists",
  422: "unknown-request",
  429: "too-many",
  503: "no-registry",
};

function classifyFailure(error: unknown): KioubitFailure {
  if (error instanceof RefusedReturnError) return error.failure;
  return (error instanceof HttpError && failuresByStatus[error.status]) || "failed";
}
