import { allocateLinkLocal } from "../../domain/peering/allocation.ts";
import { parseToml, readConfigFile, validateConfig } from "../../system/config/config-file.ts";
import type { ConfigProblem } from "../../system/config/config-problems.ts";
import { readOutline } from "./profile-outline.ts";
import { findRegistryProblem, readAuthority, resolveFrom } from "./profile-paths.ts";
import { defaultTls, findConflicts, findMissing } from "./profile-rules.ts";
import { type ProfileFile, profileFile } from "./profile-schema.ts";
import type { MailProfile, NodeProfile, Profile } from "./profile.ts";

interface ReadOptions {
  /** Whether the profile must have all that a server needs. The commands do without mail, agents and registry. */
  readonly isForServer?: boolean;
  /** What the operator named the file with. */
  readonly namedBy?: string;
}

/**
 * Reads a provider profile. Rejects with `ConfigError` if the file is unreadable or invalid, with one line
 * `file:line: problem` for every problem.
 */
export async function readProfile(
  path: string,
  { isForServer = false, namedBy = "PEERDECK_CONFIG" }: ReadOptions = {},
): Promise<Profile> {
  const text = await readConfigFile(path, "provider profile", namedBy);
  const toml = parseToml({ text, path });
  const outline = readOutline(toml);
  const problems: ConfigProblem[] = isForServer ? [...findMissing(outline)] : [];
  const { registry: { path: clone, url } = {}, mail: { ca: caFile } = {} } = outline;
  if (isForServer && typeof clone === "string" && url === undefined) {
    const problem = await findRegistryProblem(resolveFrom(path, clone));
    if (problem) problems.push(problem);
  }
  const ca = caFile === undefined ? null : await readAuthority(resolveFrom(path, caFile));
  if (ca !== null && typeof ca !== "string") problems.push(ca);
  return createProfile({ text, path }, toml, problems, typeof ca === "string" ? ca : null);
}

/** Parses and validates a provider profile as `readProfile` does, without the files that it names. */
export function parseProfile(text: string, path: string): Profile {
  return createProfile({ text, path }, parseToml({ text, path }), [], null);
}

function createProfile(
  file: { readonly text: string; readonly path: string },
  toml: unknown,
  problems: readonly ConfigProblem[],
  ca: string | null,
): Profile {
  const config = { ...file, schema: profileFile, secretKeys: ["mail.url", "auth.kioubit.public_key"] };
  const valid = validateConfig(config, toml, [...findConflicts(readOutline(toml)), ...problems]);
  return toProfile(valid, file.path, ca);
}

function toProfile(file: ProfileFile, fileName: string, ca: string | null): Profile {
  const [publicUrl = "", ...otherPublicUrls] = file.public_urls ?? [file.public_url ?? ""];
  return {
    name: file.name,
    domain: file.domain,
    asn: file.asn,
    publicUrl,
    otherPublicUrls,
    nodes: file.nodes.map((node) => toNode(node, file.asn)),
    prefixes: file.prefixes,
    allowDocumentation: file.allow_documentation,
    strictSource: file.strict_source,
    hstsIncludeSubdomains: file.hsts_include_subdomains,
    registry: {
      from:
        file.registry.url === undefined
          ? { path: resolveFrom(fileName, file.registry.path ?? "") }
          : { url: file.registry.url },
      maxAgeDays: file.registry.max_age_days,
      maintainers: file.registry.maintainers,
    },
    publish: { peerings: file.publish.peerings, linkLatency: file.publish.link_latency },
    audit: { keepDays: file.audit.keep_days, keepAddressDays: file.audit.keep_address_days },
    mail: file.mail ? toMail(file.mail, ca) : null,
    kioubit: file.auth.kioubit
      ? { url: file.auth.kioubit.url, publicKey: file.auth.kioubit.public_key }
      : null,
    supportAddress: file.support_address,
    trustedProxies: file.trusted_proxies,
    pushHosts: file.push.hosts,
    facts: { ...file.facts, map: file.map, dashboards: file.dashboards },
  };
}

function toMail({ url, from, ...mail }: NonNullable<ProfileFile["mail"]>, ca: string | null): MailProfile {
  return {
    url,
    from,
    tls: mail.tls ?? defaultTls(url, mail.ca),
    ca,
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
