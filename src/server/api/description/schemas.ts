/** The JSON Schemas of the OpenAPI document, by the contract's schemas. */
import { isDeepStrictEqual } from "node:util";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema, RegexAction } from "valibot";
import { account, accountDeletion, loginSession } from "#contract/call-tables/accounts/account-calls.ts";
import { publicNode } from "#contract/call-tables/node-calls.ts";
import { pingResult, routerOutput } from "#contract/diagnostics.ts";
import * as e from "#contract/entities.ts";
import { plot } from "#contract/history.ts";
import { errorBody, fieldError } from "#contract/http-error.ts";
import { fieldDescriptions } from "./field-descriptions.ts";

export type Json = Readonly<Record<string, unknown>>;

/** Schemas with a name, which others refer to. */
const named = {
  Account: account,
  AccountDeletion: accountDeletion,
  Caller: e.usernameBody,
  ErrorBody: errorBody,
  FieldError: fieldError,
  LoginSession: loginSession,
  Node: publicNode,
  NodeConfig: e.nodeConfig,
  NodeStatus: e.nodeStatus,
  PeerConfig: e.peerConfig,
  Peering: e.peeringBody,
  PeerStatus: e.peerStatus,
  PeerUpdate: e.peerUpdate,
  PingResult: pingResult,
  Plot: plot,
  Provider: e.provider,
  RouterOutput: routerOutput,
  Task: e.task,
} as const satisfies Record<string, GenericSchema>;

type Name = keyof typeof named;

const names = new Map<GenericSchema, Name>(
  Object.entries(named).map(([name, schema]) => [schema, name as Name]),
);

/** The named schemas, with the descriptions of their fields. */
export function createComponents(): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [
      name,
      describeFields(convert(schema, schema), (fieldDescriptions as Fields)[name] ?? {}),
    ]),
  );
}

/** Returns the schema, or a reference to it if it has a name. */
export function toSchema(schema: GenericSchema): Json {
  return convert(schema, null);
}

export function refer(name: Name): Json {
  return { $ref: `#/components/schemas/${name}` };
}

type Fields = Readonly<Record<string, Readonly<Record<string, string>>>>;

function describeFields(schema: Json, descriptions: Readonly<Record<string, string>>): Json {
  const fields = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Json>>);
  if (fields.length === 0) return schema;
  const properties = fields.map(([field, type]) => {
    const description = descriptions[field];
    return [field, description === undefined ? type : Object.assign({}, type, { description })];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** JSON has no infinite numbers and no readonly values, and a JSON Schema cannot express a rule about several values. */
const ignoreActions = ["finite", "readonly", "check"];

/** @param whole the schema that is converted even if it has a name */
function convert(schema: GenericSchema, whole: GenericSchema | null): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
    ignoreActions,
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const name = names.get(valibotSchema);
      if (name !== undefined && valibotSchema !== whole) return refer(name);
      const { prefixItems } = jsonSchema;
      if (!prefixItems) return null;
      // Linters and generators of clients do not know `items: false`.
      const items = prefixItems.filter(
        (item, index) => !prefixItems.slice(0, index).some((earlier) => isDeepStrictEqual(earlier, item)),
      );
      return { ...jsonSchema, items: { anyOf: items }, maxItems: prefixItems.length };
    },
    // The converter rejects every flag, but a pattern of JSON Schema has Unicode mode.
    overrideAction: ({ valibotAction, jsonSchema }) =>
      valibotAction.type === "regex" &&
      (valibotAction as RegexAction<string, undefined>).requirement.flags === "u"
        ? jsonSchema
        : null,
  });
  return rest;
}
