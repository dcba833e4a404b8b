import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import * as v from "valibot";
import { allocateLinkLocal } from "../../domain/peering/allocation.ts";
import { ConfigError } from "./environment.ts";
import { isLocalMailServer } from "./mail-url.ts";
import { describeIssues, findDuplicates, type ProfileProblem } from "./profile-problems.ts";
import { type ProfileFile, profileFile } from "./profile-schema.ts";
import type { MailProfile, NodeProfile, Profile } from "./profile.ts";
import { createLineFinder } from "./toml-lines.ts";

/**
 * Reads a provider profile. Rejects with `ConfigError` if the file is unreadable or invalid.
 *
 * @param needsRegistry whether it also rejects if `registry.path` names no registry; the commands do without
 */
export async function readProfile(path: string, { needsRegistry = false } = {}): Promise<Profile> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(
      `The provider profile ${path} cannot be read (${error.code ?? error.message}). ` +
        "PEERDECK_CONFIG must name a readable TOML file.",
    );
  });
  const profile = parseProfile(text, path);
  const { from } = profile.registry;
  const problem = needsRegistry && "path" in from ? await findRegistryProblem(from.path) : null;
  if (problem) throw new ConfigError(describe([problem], text, path));
  return profile;
}

async function findRegistryProblem(folder: string): Promise<ProfileProblem | null> {
  const found = await stat(join(folder, "data")).then(
    (stats) => (stats.isDirectory() ? null : "ENOTDIR"),
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (found === null) return null;
  const message =
    "registry.path must be a registry clone, a readable folder that contains data/, found " +
    `${JSON.stringify(folder)} (${found}). Clone the registry there, or set registry.url.`;
  return { path: ["registry", "path"], message };
}

/**
 * Parses and validates a provider profile. A relative registry path is resolved from the file's folder. Throws
 * `ConfigError` with one line `file:line: problem` for every problem.
 */
export function parseProfile(tomlText: string, fileName: string): Profile {
  const parsed = v.safeParse(profileFile, parseToml(tomlText, fileName));
  if (!parsed.success) throw new ConfigError(describe(describeIssues(parsed.issues), tomlText, fileName));
  const duplicates = findDuplicates(parsed.output);
  if (duplicates.length > 0) throw new ConfigError(describe(duplicates, tomlText, fileName));
  return toProfile(parsed.output, fileName);
}

function parseToml(tomlText: string, fileName: string): unknown {
  try {
    return parse(tomlText.replace(/^\uFEFF/, ""), { unsafeKeyBehaviour: "throw" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.split("\n");
    throw new ConfigError(`${fileName}:${error.line}: ${reason}`);
  }
}

function describe(problems: readonly ProfileProblem[], tomlText: string, fileName: string): string {
  const lineOf = createLineFinder(tomlText);
  return problems
    .map(({ path, message }) => ({ line: lineOf(path), message }))
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, message }) => `${fileName}:${line}: ${message}`)
    .join("\n");
}

function toProfile(file: ProfileFile, fileName: string): Profile {
  return {
    name: file.name,
    domain: file.domain,
    asn: file.asn,
    publicUrl: file.public_url,
    nodes: file.nodes.map((node) => toNode(node, file.asn)),
    prefixes: file.prefixes,
    allowDocumentation: file.allow_documentation,
    hstsIncludeSubdomains: file.hsts_include_subdomains,
    registry: {
      from:
        file.registry.url === undefined
          ? { path: resolve(dirname(fileName), file.registry.path ?? "") }
          : { url: file.registry.url },
      maxAgeDays: file.registry.max_age_days,
    },
    publish: { peerings: file.publish.peerings, linkLatency: file.publish.link_latency },
    audit: { keepDays: file.audit.keep_days, keepAddressDays: file.audit.keep_address_days },
    mail: file.mail ? toMail(file.mail) : null,
    supportAddress: file.support_address,
    trustedProxies: file.trusted_proxies,
    pushHosts: file.push.hosts,
    facts: { ...file.facts, map: file.map, dashboards: file.dashboards },
  };
}

function toMail({ url, from, require_tls }: NonNullable<ProfileFile["mail"]>): MailProfile {
  return { url, from, requireTls: require_tls ?? !isLocalMailServer(url) };
}

function toNode(node: ProfileFile["nodes"][number], asn: string): NodeProfile {
  return {
    name: node.name,
    place: node.place,
    lat: node.lat,
    lon: node.lon,
    publicIp: node.public_ip,
    endpoints: [...new Set([node.public_ip, ...node.endpoints])],
    tunnelIpv4: node.tunnel_ipv4 ?? null,
    linkLocal: node.link_local ?? allocateLinkLocal(asn),
    maxPeerings: node.max_peerings ?? null,
    agent: node.agent ?? null,
  };
}
