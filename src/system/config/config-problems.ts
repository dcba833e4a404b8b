/** Describes what is wrong in a configuration with the descriptions of its schema. */
import * as v from "valibot";
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
    if (issue.expected === "never") {
      return { path, message: `${key} is not a known key${listKnownKeys(schema, path)}.` };
    }
    const expected =
      schemasAt(schema, path)
        .map(v.getDescription)
        .find((words) => words !== undefined) ?? "a table";
    if (issue.input === undefined) return { path, message: `${key} is missing; it must be ${expected}.` };
    const found = secretKeys.includes(key) ? "" : `, found ${formatInput(issue.input)}`;
    return { path, message: `${key} must be ${expected}${found}.` };
  });
}

/** Lists the known keys of the table that contains an unknown key. */
function listKnownKeys(schema: v.GenericSchema, path: TomlPath): string {
  const around = schemasAt(schema, path.slice(0, -1)).find((each) => "entries" in each);
  return around ? `; known keys are ${Object.keys(around.entries as object).join(", ")}` : "";
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
