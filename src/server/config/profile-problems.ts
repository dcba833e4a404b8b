/** Describes the errors in a provider profile with the schema's descriptions. */
import * as v from "valibot";
import { type ProfileFile, profileFile } from "./profile-schema.ts";
import type { TomlPath } from "./toml-lines.ts";

export interface ProfileProblem {
  readonly path: TomlPath;
  /** A sentence that names the key. */
  readonly message: string;
}

/** Keys whose values messages omit: they may contain a password, and messages are logged. */
const secretKeys = new Set(["mail.url"]);

export function describeIssues(issues: ReadonlyArray<v.BaseIssue<unknown>>): readonly ProfileProblem[] {
  return issues.map((issue) => {
    const path = (issue.path ?? []).map(({ key }) => key as string | number);
    return { path, message: describeIssue(path, issue) };
  });
}

function describeIssue(path: TomlPath, issue: v.BaseIssue<unknown>): string {
  const key = formatPath(path);
  if (issue.expected === "never") return `${key} is not a known key${listKnownKeys(path)}.`;
  const expected =
    schemasAt(path)
      .map(v.getDescription)
      .find((words) => words !== undefined) ?? "a table";
  if (issue.input === undefined) return `${key} is missing; it must be ${expected}.`;
  const found = secretKeys.has(key) ? "" : `, found ${formatInput(issue.input)}`;
  return `${key} must be ${expected}${found}.`;
}

/** Lists the known keys of the table that contains an unknown key. */
function listKnownKeys(path: TomlPath): string {
  const around = schemasAt(path.slice(0, -1)).find((schema) => "entries" in schema);
  return around ? `; known keys are ${Object.keys(around.entries as object).join(", ")}` : "";
}

/** Returns the schema at a path with its wrappers, outermost first. */
function schemasAt(path: TomlPath): readonly v.GenericSchema[] {
  let schemas = unwrap(profileFile);
  for (const key of path) {
    const next = schemas.map((schema) => childOf(schema, key)).find((child) => child !== undefined);
    if (!next) return [];
    schemas = unwrap(next);
  }
  return schemas;
}

function unwrap(schema: v.GenericSchema): readonly v.GenericSchema[] {
  return "wrapped" in schema ? [schema, ...unwrap(schema.wrapped as v.GenericSchema)] : [schema];
}

function childOf(schema: v.GenericSchema, key: string | number): v.GenericSchema | undefined {
  if (typeof key === "number") return "item" in schema ? (schema.item as v.GenericSchema) : undefined;
  return "entries" in schema ? (schema.entries as Record<string, v.GenericSchema>)[key] : undefined;
}

/** Formats a path, such as `nodes[1].lat`. Positions count from 1. */
function formatPath(path: TomlPath): string {
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

/** Finds names, tunnel addresses and endpoints that two nodes share. */
export function findDuplicates(file: ProfileFile): readonly ProfileProblem[] {
  const names = file.nodes.map((node, index) => ({ path: ["nodes", index, "name"], value: node.name }));
  const tunnels = file.nodes.flatMap((node, index) =>
    node.tunnel_ipv4 === undefined
      ? []
      : [{ path: ["nodes", index, "tunnel_ipv4"], value: node.tunnel_ipv4 }],
  );
  const endpoints = file.nodes.flatMap((node, index) => [
    { path: ["nodes", index, "public_ip"], value: node.public_ip },
    ...node.endpoints
      .filter((endpoint) => endpoint !== node.public_ip)
      .map((value) => ({ path: ["nodes", index, "endpoints"], value })),
  ]);
  return [names, tunnels, endpoints].flatMap(findRepeated);
}

function findRepeated(
  values: ReadonlyArray<{ readonly path: TomlPath; readonly value: string }>,
): readonly ProfileProblem[] {
  const first = new Map<string, TomlPath>();
  const problems: ProfileProblem[] = [];
  for (const { path, value } of values) {
    const earlier = first.get(value);
    if (!earlier) first.set(value, path);
    else
      problems.push({
        path,
        message: `${formatPath(path)} is ${JSON.stringify(value)}, the same as ${formatPath(earlier)}.`,
      });
  }
  return problems;
}
