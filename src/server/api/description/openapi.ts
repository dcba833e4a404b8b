import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema, RegexAction } from "valibot";
import type { Call } from "#contract/call.ts";
import { type CallName, calls } from "#contract/calls.ts";
import { errorBody } from "#contract/http-error.ts";
import { liveEvents, livePath } from "#contract/live-events.ts";
import { getLoginCookieName } from "../authenticate.ts";
import { callDescriptions } from "./call-descriptions.ts";

type Json = Readonly<Record<string, unknown>>;

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: ReadonlyArray<{ readonly url: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Json;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly Json[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: Json }>>;
}

/** Error responses of every call, besides its own. */
const commonErrors = { 503: "The database cannot be used right now" };
const requestBodyErrors = {
  400: "Not JSON",
  413: "The body is too large",
  415: "The body is not plain JSON",
  422: "A value has the wrong shape",
};
const loginErrors = { 401: "Not logged in", 403: "Logged in as another AS" };

/**
 * The OpenAPI 3.1 document of the calls of the web app.
 *
 * @param url the public URL that the document is for, of `urls`
 */
export function createOpenApiDocument({
  title,
  version,
  url,
  urls,
}: {
  readonly title: string;
  readonly version: string;
  readonly url: string;
  readonly urls: readonly string[];
}): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const name of Object.keys(calls) as CallName[]) {
    const { path, method } = calls[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: createOperation(name) };
  }
  paths[livePath] = { get: createStreamOperation() };
  return {
    openapi: "3.1.0",
    info: { title, version, description: "All calls of the web app, for your own scripts." },
    servers: urls.toSorted((a, b) => Number(b === url) - Number(a === url)).map((each) => ({ url: each })),
    paths,
    components: {
      schemas: { ErrorBody: toSchema(errorBody) },
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: getLoginCookieName(url) },
      },
    },
  };
}

function createOperation(operationId: CallName): Operation {
  const call: Call = calls[operationId];
  const description = callDescriptions[operationId];
  const session = call.access === "participant";
  const errors = {
    ...(call.body && requestBodyErrors),
    ...(session && loginErrors),
    ...commonErrors,
    ...description.errors,
  };
  return {
    operationId,
    summary: description.summary,
    security: session ? [{ session: [] }] : [],
    ...(call.body && { requestBody: { required: true, content: jsonContent(toSchema(call.body)) } }),
    responses: {
      "200": { description: "Done", content: jsonContent(toSchema(call.response)) },
      ...Object.fromEntries(
        Object.entries(errors).map(([status, meaning]) => [status, errorResponse(meaning)]),
      ),
    },
  };
}

/** The event stream, the only path that is no call. Its response lasts as long as the login session. */
function createStreamOperation(): Operation {
  const events = Object.entries(liveEvents).map(([name, data]) => ({
    type: "object",
    properties: { event: { const: name }, data: toSchema(data) },
  }));
  return {
    operationId: "events",
    summary: "Changes of deployments and peerings of this AS, as server-sent events",
    security: [{ session: [] }],
    responses: {
      "200": {
        description: "Events until the login session ends",
        content: { "text/event-stream": { schema: { oneOf: events } } },
      },
      "401": errorResponse("Not logged in"),
      "403": errorResponse("Requested by a page of another site"),
      "429": errorResponse("Too many streams are open"),
    },
  };
}

function errorResponse(description: string): Response {
  return { description, content: jsonContent({ $ref: "#/components/schemas/ErrorBody" }) };
}

function jsonContent(schema: Json) {
  return { "application/json": { schema } };
}

/** JSON has no infinite numbers and no readonly values, and a JSON Schema cannot express a rule about several values. */
const ignoreActions = ["finite", "readonly", "check"];

function toSchema(schema: GenericSchema): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
    ignoreActions,
    // The converter rejects every flag, but a pattern of JSON Schema has Unicode mode.
    overrideAction: ({ valibotAction, jsonSchema }) =>
      valibotAction.type === "regex" &&
      (valibotAction as RegexAction<string, undefined>).requirement.flags === "u"
        ? jsonSchema
        : null,
  });
  return rest;
}
