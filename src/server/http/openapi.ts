import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import type { Call } from "../../contract/call.ts";
import { failure } from "../../contract/failure.ts";
import { liveEvents, livePath } from "../../contract/live.ts";
import { sessionCookie } from "./read-exchange.ts";

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

/** What every call may answer besides its own refusals. */
const always = { 503: "The database cannot be used right now" };
const withBody = {
  400: "Not JSON",
  413: "The body is too large",
  415: "The body is not plain JSON",
  422: "A value has the wrong shape",
};
const withSession = { 401: "Not signed in", 403: "Signed in as another AS" };

/** The OpenAPI 3.1 document of a table of calls. */
export function openApiDocument(
  table: Readonly<Record<string, Call>>,
  { title, url }: { readonly title: string; readonly url: string },
): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [name, call] of Object.entries(table)) {
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operation(name, call) };
  }
  paths[livePath] = { get: liveOperation() };
  return {
    openapi: "3.1.0",
    info: { title, version: "1", description: "Everything that the web app does, for scripts of your own." },
    servers: [{ url }],
    paths,
    components: {
      schemas: { Failure: jsonSchema(failure) },
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: sessionCookie(url.startsWith("https:")) },
      },
    },
  };
}

function operation(operationId: string, call: Call): Operation {
  const session = call.access === "session";
  const refusals = { ...(call.body && withBody), ...(session && withSession), ...always, ...call.refusals };
  return {
    operationId,
    summary: call.summary,
    security: session ? [{ session: [] }] : [],
    ...(call.body && { requestBody: { required: true, content: content(jsonSchema(call.body)) } }),
    responses: {
      "200": { description: "Done", content: content(jsonSchema(call.answer)) },
      ...Object.fromEntries(Object.entries(refusals).map(([status, meaning]) => [status, refusal(meaning)])),
    },
  };
}

/** The one path that is no call: its answer goes on for as long as the session does. */
function liveOperation(): Operation {
  const events = Object.entries(liveEvents).map(([name, data]) => ({
    type: "object",
    properties: { event: { const: name }, data: jsonSchema(data) },
  }));
  return {
    operationId: "events",
    summary: "What happens to deployments and peerings of this AS, as server-sent events",
    security: [{ session: [] }],
    responses: {
      "200": {
        description: "Events for as long as the session lasts",
        content: { "text/event-stream": { schema: { oneOf: events } } },
      },
      "401": refusal("Not signed in"),
      "403": refusal("Asked by a page of another site"),
      "429": refusal("Too many streams are open"),
    },
  };
}

function refusal(description: string): Response {
  return { description, content: content({ $ref: "#/components/schemas/Failure" }) };
}

function content(schema: Json) {
  return { "application/json": { schema } };
}

function jsonSchema(schema: GenericSchema): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, { target: "draft-2020-12", typeMode: "input" });
  return rest;
}
