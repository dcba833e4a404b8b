import { type ConfigProblem, formatPath } from "../../system/config/config-problems.ts";
import type { TomlPath } from "../../system/config/toml-lines.ts";
import type { ProfileFile } from "./profile-schema.ts";

/** Finds names, tunnel addresses and endpoints that two nodes share. */
export function findDuplicates(file: ProfileFile): readonly ConfigProblem[] {
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
): readonly ConfigProblem[] {
  const first = new Map<string, TomlPath>();
  const problems: ConfigProblem[] = [];
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
