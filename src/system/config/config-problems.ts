/** Describes what is wrong in a configuration with the descriptions of its schema. */
import * as v from "valibot";
import { findSimilarKey } from "./similar-key.ts";
import type { TomlPath } from "./toml-lines.ts";

export interface ConfigProblem {
  readonly path: TomlPath;
  /** A sentence that names the key. */
  readonly message: string;
}

/**
 * Describes the issues that a schema found.
 *
 * @param secretKeys keys whose values messages omit: they may contain a password, and messages are logged
 */
export function describeIssues(
  schema: v.GenericSchema,
  issues: ReadonlyArray<v.BaseIssue<unknown>>,
  secretKeys: readonly string[],
): readonly ConfigProblem[] {
  return issues.map((issue) => {
    const path = (issue.path ?? []).map(({ key }) => key as string | number);
    const key = formatPath(path);
    const description = schemasAt(schema, path)
      .map(v.getDescription)
      .find((words) => words !== undefined);
    if (issue.expected === "never") {
      return { path, message: `${key} is not a known key${description ?? adviseKey(schema, path)}` };
    }
    const expected = description ?? "a table";
    if (issue.input === undefined) return { path, message: `${key} is missing; it must be ${expected}.` };
    const found = secretKeys.includes(key) ? "" : `, found ${formatInput(issue.input)}`;
    return { path, message: `${key} must be ${expected}${found}.` };
  });
}

/** Says which key an unknown one was meant to be, where it belongs, or which keys its table can have. */
function adviseKey(schema: v.GenericSchema, path: TomlPath): string {
  const key = String(path.at(-1));
  const known = knownKeys(schemasAt(schema, path.slice(0, -1)));
  const similar = findSimilarKey(key, known);
  if (similar !== undefined) return `. Did you mean ${similar}?`;
  const ofRoot = knownKeys(unwrap(schema));
  if (ofRoot.includes(key)) return `. Move ${key} above the first table.`;
  const table = ofRoot.find((name) => knownKeys(schemasAt(schema, [name])).includes(key));
  if (table !== undefined) return `. It belongs in the table [${table}].`;
  return known.length === 0 ? "." : `; known keys are ${known.join(", ")}.`;
}

/** The keys of a table's schema, without removed ones. */
function knownKeys(schemas: readonly v.GenericSchema[]): readonly string[] {
  const table = schemas.find((each) => "entries" in each);
  if (!table) return [];
  const entries = Object.entries(table.entries as Record<string, v.GenericSchema>);
  return entries.filter(([, entry]) => unwrap(entry).at(-1)?.type !== "never").map(([key]) => key);
}

/** Returns the schema at a path with its wrappers, outermost first. */
function schemasAt(schema: v.GenericSchema, path: TomlPath): readonly v.GenericSchema[] {
  let schemas = unwrap(schema);
  for (const key of path) {
    const next = schemas.map((each) => childOf(each, key)).find((child) => child !== undefined);
    if (!next) return [];
    schemas = unwrap(next);
  }
  return schemas;
}

function unwrap(schema: v.GenericSchema): readonly v.GenericSchema[] {
  return "wrapped" in schema ? [schema, ...unwrap(schema.wrapped as v.GenericSchema)] : [schema];
}

/** The schema of an item of a list, of a key of a table, or of each value of a table with any keys. */
function childOf(schema: v.GenericSchema, key: string | number): v.GenericSchema | undefined {
  if (typeof key === "number") return "item" in schema ? (schema.item as v.GenericSchema) : undefined;
  if ("entries" in schema) return (schema.entries as Record<string, v.GenericSchema>)[key];
  return schema.type === "record" && "value" in schema ? (schema.value as v.GenericSchema) : undefined;
}

/** Formats a path, such as `nodes[1].lat`. Positions count from 1. */
export function formatPath(path: TomlPath): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key + 1}]` : `.${key}`))
    .join("")
    .slice(1);
}

function formatInput(input: unknown): string {
  if (Array.isArray(input)) return "a list";
  if (typeof input === "object") return input instanceof Date ? "a date" : "a table";
  const json = JSON.stringify(input);
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}
