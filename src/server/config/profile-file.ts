import { lstat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { allocateLinkLocal } from "../../domain/peering/allocation.ts";
import { invalidFile, parseConfigFile, readConfigFile } from "../../system/config/config-file.ts";
import type { ConfigProblem } from "../../system/config/config-problems.ts";
import { isLocalMailServer } from "./mail-url.ts";
import { findDuplicates } from "./profile-duplicates.ts";
import { type ProfileFile, profileFile } from "./profile-schema.ts";
import type { MailProfile, NodeProfile, Profile } from "./profile.ts";

/**
 * Reads a provider profile. Rejects with `ConfigError` if the file is unreadable or invalid.
 *
 * @param needsRegistry whether it also rejects if `registry.path` names no registry; the commands do without
 */
export async function readProfile(path: string, { needsRegistry = false } = {}): Promise<Profile> {
  const text = await readConfigFile(path, "provider profile", "PEERDECK_CONFIG");
  const profile = parseProfile(text, path);
  const { from } = profile.registry;
  const problem = needsRegistry && "path" in from ? await findRegistryProblem(from.path) : null;
  if (problem) throw invalidFile({ text, path }, [problem]);
  return profile;
}

async function findRegistryProblem(folder: string): Promise<ConfigProblem | null> {
  const found = await lstat(join(folder, "data")).then(
    (stats) => (stats.isDirectory() ? null : stats.isSymbolicLink() ? "a link" : "ENOTDIR"),
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
export function parseProfile(text: string, path: string): Profile {
  const parsed = parseConfigFile({ text, path, schema: profileFile, secretKeys: ["mail.url"] });
  const duplicates = findDuplicates(parsed);
  if (duplicates.length > 0) throw invalidFile({ text, path }, duplicates);
  return toProfile(parsed, path);
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
    strictSource: file.strict_source,
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

function toMail({ url, from, ...mail }: NonNullable<ProfileFile["mail"]>): MailProfile {
  return {
    url,
    from,
    requireTls: mail.require_tls ?? !isLocalMailServer(url),
    unreachableDomains: mail.unreachable_domains,
  };
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
