/** What is wrong with a provider profile, in words made of the schema's own. */
import * as v from "valibot";
import { type ProfileFile, profileFile } from "./profile-schema.ts";
import type { TomlPath } from "./toml-lines.ts";

export interface Fault {
  readonly path: TomlPath;
  /** A sentence that names the key. */
  readonly message: string;
}

/** A password stands in it, and messages are logged. */
const secretKeys = new Set(["mail.url"]);

export function schemaFaults(issues: ReadonlyArray<v.BaseIssue<unknown>>): readonly Fault[] {
  return issues.map((issue) => {
    const path = (issue.path ?? []).map(({ key }) => key as string | number);
    return { path, message: sentence(path, issue) };
  });
}

function sentence(path: TomlPath, issue: v.BaseIssue<unknown>): string {
  const key = written(path);
  if (issue.expected === "never") return `${key} is not a known key${offer(path)}.`;
  const expected =
    schemaAt(path)
      .map(v.getDescription)
      .find((words) => words !== undefined) ?? "a table";
  if (issue.input === undefined) return `${key} is missing; it must be ${expected}.`;
  const found = secretKeys.has(key) ? "" : `, found ${shown(issue.input)}`;
  return `${key} must be ${expected}${found}.`;
}

/** The keys that would be known beside an unknown one. */
function offer(path: TomlPath): string {
  const around = schemaAt(path.slice(0, -1)).find((schema) => "entries" in schema);
  return around ? `; known here are ${Object.keys(around.entries as object).join(", ")}` : "";
}

/** The schema of a path with all the layers around it, outermost first. */
function schemaAt(path: TomlPath): readonly v.GenericSchema[] {
  let schemas = layers(profileFile);
  for (const key of path) {
    const next = schemas.map((schema) => childOf(schema, key)).find((child) => child !== undefined);
    if (!next) return [];
    schemas = layers(next);
  }
  return schemas;
}

function layers(schema: v.GenericSchema): readonly v.GenericSchema[] {
  return "wrapped" in schema ? [schema, ...layers(schema.wrapped as v.GenericSchema)] : [schema];
}

function childOf(schema: v.GenericSchema, key: string | number): v.GenericSchema | undefined {
  if (typeof key === "number") return "item" in schema ? (schema.item as v.GenericSchema) : undefined;
  return "entries" in schema ? (schema.entries as Record<string, v.GenericSchema>)[key] : undefined;
}

/** The path as people write it: `nodes[1].lat`. Positions count from 1, as people do. */
function written(path: TomlPath): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key + 1}]` : `.${key}`))
    .join("")
    .slice(1);
}

function shown(input: unknown): string {
  if (Array.isArray(input)) return "a list";
  if (typeof input === "object") return input instanceof Date ? "a date" : "a table";
  const json = JSON.stringify(input);
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

/** What two nodes may not share. */
export function duplicateFaults(file: ProfileFile): readonly Fault[] {
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
  return [names, tunnels, endpoints].flatMap(repeated);
}

function repeated(
  values: ReadonlyArray<{ readonly path: TomlPath; readonly value: string }>,
): readonly Fault[] {
  const first = new Map<string, TomlPath>();
  const faults: Fault[] = [];
  for (const { path, value } of values) {
    const earlier = first.get(value);
    if (!earlier) first.set(value, path);
    else
      faults.push({
        path,
        message: `${written(path)} is ${JSON.stringify(value)}, which ${written(earlier)} is already.`,
      });
  }
  return faults;
}
