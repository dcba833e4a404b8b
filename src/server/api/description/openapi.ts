import type { Call } from "#contract/call.ts";
import { type CallName, calls } from "#contract/calls.ts";
import { peeringBody, usernameBody } from "#contract/entities.ts";
import { liveEvents, livePath } from "#contract/live-events.ts";
import type { ApiTokenScope } from "#domain/accounts/api-tokens.ts";
import { getLoginCookieName } from "../authenticate.ts";
import { findTokenScope } from "../tokens/token-scopes.ts";
import { type CallDescription, type Tag, tags } from "./call-description.ts";
import { callDescriptions } from "./call-descriptions.ts";
import { node, username } from "./calls/examples.ts";
import { describeLimits } from "./describe-limits.ts";
import { createComponents, type Json, refer, toSchema } from "./schemas.ts";

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string } & Json;
  readonly servers: ReadonlyArray<{ readonly url: string }>;
  readonly tags: ReadonlyArray<{ readonly name: Tag; readonly description: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly securitySchemes: Readonly<Record<string, Json>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly [Tag];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Json[];
  readonly parameters?: readonly Json[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly description: string;
  readonly headers?: Json;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>;

/** Error responses of every call, besides its own. */
const commonErrors = {
  400: "The request could not be read",
  500: "The server failed; the message has a number for support",
  503: "The database cannot be used right now",
};
const requestBodyErrors = {
  400: "The request, or its JSON, could not be read",
  413: "The body is too large",
  415: "The body is not plain JSON",
  422: "A value has the wrong shape",
};
const loginErrors = { 401: "Not logged in", 403: "Logged in as another AS" };
const tokenErrors = {
  401: "Not logged in, or the token is unknown, has expired or was revoked",
  403: "Logged in as another AS, or the token's scope or node does not allow the call",
};

/**
 * The OpenAPI 3.1 document of the calls of the web app.
 *
 * @param url the public URL that the document is for, of `urls`
 */
export function createOpenApiDocument({
  name,
  version,
  url,
  urls,
}: {
  /** The provider's name. */
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly urls: readonly string[];
}): OpenApiDocument {
  const described = Object.entries(callDescriptions) as ReadonlyArray<[CallName, CallDescription]>;
  const paths = described.map(([operationId, description]): [string, OpenApiDocument["paths"][string]] => {
    const { path, method } = calls[operationId];
    return [
      documentedPath(path),
      { [method.toLowerCase()]: createOperation(operationId, calls[operationId], description) },
    ];
  });
  return {
    openapi: "3.1.0",
    info: {
      title: `${name} peering API`,
      version,
      description:
        "All calls of the web app, for your own scripts. A path works with and without a slash at its end. Every response that " +
        "is not 2xx has a `message` for people. A later version may add calls and fields, so ignore what you do not know.",
      contact: { name, url },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: urls.toSorted((a, b) => Number(b === url) - Number(a === url)).map((each) => ({ url: each })),
    tags: Object.entries(tags).map(([tag, description]) => ({ name: tag as Tag, description })),
    paths: Object.fromEntries([...paths, [livePath, { get: createStreamOperation() }]]),
    components: { schemas: createComponents(), securitySchemes: describeSecurity(url) },
  };
}

function describeSecurity(url: string): OpenApiDocument["components"]["securitySchemes"] {
  return {
    cookie: {
      type: "apiKey",
      in: "cookie",
      name: getLoginCookieName(url),
      description: "A login session, which `login` starts.",
    },
    token: {
      type: "http",
      scheme: "bearer",
      description:
        "An API token of Settings → API tokens. It acts for its AS alone. The scope `read` reads; `change` reads and changes.",
    },
  };
}

/** Without the slash at the end, which a path of the specification may have: linters reject it. */
export function documentedPath(path: string): string {
  return path.replace(/\/$/, "");
}

function createOperation(operationId: CallName, call: Call, description: CallDescription): Operation {
  const isPublic = call.access === "public";
  const scope = findTokenScope(operationId);
  const errors = {
    ...commonErrors,
    ...(call.body && requestBodyErrors),
    ...(!isPublic && (scope ? tokenErrors : loginErrors)),
    ...description.errors,
  };
  return {
    operationId,
    tags: [description.tag],
    summary: description.summary,
    description: [
      description.description,
      describeLimits(description.limits ?? {}),
      isPublic ? "Public." : describeAccess(scope),
    ]
      .filter((part) => part !== "")
      .join(" "),
    security: isPublic ? [] : [{ cookie: [] }, ...(scope ? [{ token: [] }] : [])],
    ...(call.hasEtag && { parameters: [ifNoneMatch] }),
    ...(call.body && {
      requestBody: {
        required: true,
        content: jsonContent(toSchema(call.body), description.request ?? defaultRequest(call)),
      },
    }),
    responses: {
      "200": {
        description: "Done",
        ...(call.hasEtag && { headers: { ETag: { schema: { type: "string" } } } }),
        content: jsonContent(toSchema(call.response), description.response),
      },
      ...(call.hasEtag && { "304": { description: "The same as the response with the sent ETag" } }),
      ...Object.fromEntries(
        Object.entries(errors).map(([status, meaning]) => [status, errorResponse(status, meaning)]),
      ),
    },
  };
}

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of an earlier response.",
  schema: { type: "string" },
};

function describeAccess(scope: ApiTokenScope | null): string {
  if (scope === null) return "Needs a login session; accepts no token.";
  return scope === "read"
    ? "Needs a login session, or a token of any scope."
    : "Needs a login session, or a token with the scope `change`.";
}

function defaultRequest({ body }: Call): unknown {
  if (body === usernameBody) return { username };
  return body === peeringBody ? { username, node } : undefined;
}

/** The event stream, the only path that is no call. Its response lasts as long as the login session. */
function createStreamOperation(): Operation {
  const events = Object.entries(liveEvents).map(([name, data]) => ({
    type: "object",
    properties: { event: { const: name }, data: toSchema(data) },
    required: ["event", "data"],
  }));
  return {
    operationId: "events",
    tags: ["Status and history"],
    summary: "Changes of deployments and peerings of this AS, as server-sent events",
    description:
      "For pages. Events are hints: after a gap, read again. A script that polls needs no stream. Needs a login session.",
    security: [{ cookie: [] }],
    responses: {
      "200": {
        description: "Events until the login session ends",
        content: { "text/event-stream": { schema: { oneOf: events } } },
      },
      "401": errorResponse("401", "Not logged in"),
      "403": errorResponse("403", "Requested by a page of another site"),
      "429": errorResponse("429", "Too many streams are open"),
    },
  };
}

function errorResponse(status: string, description: string): Response {
  return {
    description,
    ...(status === "429" && {
      headers: {
        "Retry-After": { description: "Seconds until a retry can succeed.", schema: { type: "integer" } },
      },
    }),
    content: jsonContent(refer("ErrorBody")),
  };
}

function jsonContent(schema: Json, example?: unknown): Content {
  return { "application/json": example === undefined ? { schema } : { schema, example } };
}
