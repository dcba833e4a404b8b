/** The rules of the provider profile that concern more than one key. */
import * as v from "valibot";
import { type ConfigProblem, formatPath } from "../../system/config/config-problems.ts";
import type { TomlPath } from "../../system/config/toml-lines.ts";
import { isLocalMailServer } from "./mail-url.ts";
import type { ProfileOutline } from "./profile-outline.ts";
import { publicUrl } from "./profile-values.ts";
import type { MailProfile } from "./profile.ts";
import { isSecure } from "../../domain/public-urls.ts";

/** Finds keys that exclude or need each other. */
export function findConflicts(profile: ProfileOutline): readonly ConfigProblem[] {
  return [
    ...checkPublicUrls(profile),
    ...checkRegistry(profile),
    ...checkMail(profile),
    ...findDuplicates(profile),
  ];
}

/** Finds what a server needs and a command does without. */
export function findMissing(profile: ProfileOutline): readonly ConfigProblem[] {
  const missing: ConfigProblem[] = [];
  if (profile.mail === undefined) {
    const message =
      "mail is missing, so the server cannot send registration links. Add a table [mail] with url and from.";
    missing.push({ path: ["mail"], message });
  }
  for (const [index, node] of profile.nodes.entries()) {
    const path = ["nodes", index, "agent"];
    if (node.agent !== undefined) continue;
    const message = `${formatPath(path)} is missing. Add [nodes.agent] with url and fingerprint, which peerdeck-agent setup prints.`;
    missing.push({ path, message });
  }
  return missing;
}

/** `tls` where the profile does not say it. The connection to this machine needs no protection. */
export function defaultTls(url: string, ca: string | undefined): MailProfile["tls"] {
  const isProtected = url.startsWith("smtps:") || ca !== undefined;
  return !isProtected && isLocalMailServer(url) ? "opportunistic" : "required";
}

function checkPublicUrls(profile: ProfileOutline): readonly ConfigProblem[] {
  const { public_url: single, public_urls: urls } = profile;
  if (urls === undefined) {
    if (single !== undefined) return [];
    const message = `public_url is missing; it must be ${v.getDescription(publicUrl)}.`;
    return [{ path: ["public_url"], message }];
  }
  const problems = [
    ...findSharedHosts(urls),
    ...(profile.hsts_include_subdomains ? findUnderHsts(urls) : []),
  ];
  if (single === undefined) return problems;
  const message =
    "public_url and public_urls are both set. Remove public_url, and write it first in public_urls.";
  return [{ path: ["public_urls"], message }, ...problems];
}

type GivenUrls = readonly (string | undefined)[];

/** Cookies and HSTS belong to a hostname, whatever port and scheme. */
function findSharedHosts(urls: GivenUrls): readonly ConfigProblem[] {
  const hosts = urls.map((url) => url && new URL(url).hostname);
  return urls.flatMap((url, index) => {
    const first = hosts.indexOf(hosts[index]);
    if (url === undefined || first === index) return [];
    const path = ["public_urls", index];
    const message =
      `${formatPath(path)} is ${url}, with the same hostname as ${formatPath(["public_urls", first])}. Browsers share ` +
      "cookies between ports and schemes, so use another hostname, or remove one of them.";
    return [{ path, message }];
  });
}

function findUnderHsts(urls: GivenUrls): readonly ConfigProblem[] {
  const parsed = urls.map((url) => url && new URL(url));
  return parsed.flatMap((url, index) => {
    if (!url || isSecure(url.origin)) return [];
    const parent = parsed.find(
      (other) => other && isSecure(other.origin) && url.hostname.endsWith(`.${other.hostname}`),
    );
    if (!parent) return [];
    const path = ["public_urls", index];
    const message =
      `${formatPath(path)} is ${url.origin}, but hsts_include_subdomains makes browsers use only https below ` +
      `${parent.hostname}. Set hsts_include_subdomains = false, or use another hostname.`;
    return [{ path, message }];
  });
}

function checkRegistry({ registry }: ProfileOutline): readonly ConfigProblem[] {
  if (registry === undefined) return [];
  const { path, url } = registry;
  if ((path === undefined) !== (url === undefined)) return [];
  const message =
    path === undefined
      ? "registry has neither url nor path. Set url to what git fetches the registry from, or path to a clone."
      : "registry.url and registry.path are both set. Remove path, or url if you update the clone yourself.";
  return [{ path: path === undefined ? ["registry"] : ["registry", "url"], message }];
}

function checkMail({ mail: { url, tls, ca } = {} }: ProfileOutline): readonly ConfigProblem[] {
  if (tls === undefined || tls === "required") return [];
  const problems: ConfigProblem[] = [];
  if (ca !== undefined) {
    const message = `mail.ca has no effect with tls = "${tls}", which verifies no certificate. Set tls = "required", or remove ca.`;
    problems.push({ path: ["mail", "ca"], message });
  }
  if (url === undefined) return problems;
  const path = ["mail", "tls"];
  if (url.startsWith("smtps:")) {
    const message = `mail.tls must be "required" with smtps://, which is TLS from the start, found "${tls}". Remove tls, or write smtp:// in url.`;
    problems.push({ path, message });
  } else if (new URL(url).password !== "" && !isLocalMailServer(url)) {
    const message = `mail.tls is "${tls}", but url has a password, which is sent to another machine only over verified TLS. Set tls = "required", or remove user and password.`;
    problems.push({ path, message });
  }
  return problems;
}

/** Finds names, tunnel addresses and endpoints that two nodes share. */
function findDuplicates({ nodes }: ProfileOutline): readonly ConfigProblem[] {
  const names = nodes.map((node, index) => ({ path: ["nodes", index, "name"], value: node.name }));
  const tunnels = nodes.map((node, index) => ({
    path: ["nodes", index, "tunnel_ipv4"],
    value: node.tunnel_ipv4,
  }));
  const endpoints = nodes.flatMap((node, index) => [
    { path: ["nodes", index, "public_ip"], value: node.public_ip },
    ...node.endpoints
      .filter((endpoint) => endpoint !== node.public_ip)
      .map((value) => ({ path: ["nodes", index, "endpoints"], value })),
  ]);
  return [names, tunnels, endpoints].flatMap(findRepeated);
}

function findRepeated(
  values: ReadonlyArray<{ readonly path: TomlPath; readonly value: string | undefined }>,
): readonly ConfigProblem[] {
  const first = new Map<string, TomlPath>();
  const problems: ConfigProblem[] = [];
  for (const { path, value } of values) {
    if (value === undefined) continue;
    const earlier = first.get(value);
    if (!earlier) first.set(value, path);
    else
      problems.push({
        path,
        message: `${formatPath(path)} is ${JSON.stringify(value)}, the same as ${formatPath(earlier)}. Change one of them.`,
      });
  }
  return problems;
}
