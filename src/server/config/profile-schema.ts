/** The schema of the provider profile. The description of each key says what it must be; error messages contain it. */
import * as v from "valibot";
import { canonicalizeAsn, parseAsn } from "../../domain/asn.ts";
import { isMailAddress } from "../../domain/mail-address.ts";
import { parseAddress, parsePrefix } from "../../domain/prefix.ts";
import {
  choice,
  isWholeNumber,
  list,
  number,
  parsed,
  removedKey,
  text,
  yesOrNo,
} from "../../system/config/config-values.ts";
import { isGitUrl } from "./git-url.ts";
import { isSmtpUrl } from "./mail-url.ts";
import { nodeValues } from "./node-values.ts";
import { parseProxies } from "./profile-addresses.ts";
import {
  domainLabels,
  isHttpUrl,
  isP521PublicKey,
  isSender,
  label,
  map,
  page,
  parseMailDomain,
  parseMaintainer,
  parsePushHost,
  publicUrl,
  template,
} from "./profile-values.ts";

const agent = v.strictObject({ url: nodeValues.agentUrl, fingerprint: nodeValues.agentFingerprint });

const node = v.strictObject({
  name: nodeValues.name,
  place: nodeValues.place,
  lat: nodeValues.lat,
  lon: nodeValues.lon,
  public_ip: nodeValues.endpoint,
  endpoints: list("a list of the node's other public addresses and hostnames", nodeValues.endpoint),
  tunnel_ipv4: v.optional(nodeValues.tunnelIpv4),
  link_local: v.optional(nodeValues.linkLocal),
  max_peerings: v.optional(nodeValues.maxPeerings),
  agent: v.optional(v.pipe(agent, v.description("a table with url and fingerprint"))),
});

export const mailTls = choice(["required", "opportunistic", "none"]);

export const profileFile = v.strictObject({
  name: label,
  domain: text(
    "a lower-case domain such as example.net",
    (given) => given.length <= 200 && domainLabels.test(given),
  ),
  asn: v.pipe(
    v.union([v.string(), v.number()]),
    v.check((given) => parseAsn(String(given)) !== null),
    v.transform((given) => canonicalizeAsn(String(given))),
    v.description('an AS number such as "4242422227"'),
  ),
  public_url: v.optional(publicUrl),
  public_urls: v.optional(
    v.pipe(
      v.array(publicUrl),
      v.minLength(1),
      v.description("a list of at least one public URL of the app, the main one first"),
    ),
  ),
  support_address: text("a plain mail address such as support@example.net", isMailAddress),
  prefixes: list(
    "a list of the provider's own prefixes",
    parsed('a prefix without host bits, such as "172.20.0.0/24" or "fd00:1::/48"', parsePrefix),
  ),
  allow_documentation: v.optional(yesOrNo, false),
  strict_source: v.optional(yesOrNo, false),
  hsts_include_subdomains: v.optional(yesOrNo, false),
  trusted_proxies: list(
    "a list of reverse proxies",
    parsed(
      'an IPv4 or IPv6 address, or a range without host bits such as "10.0.0.0/8", but not all addresses',
      parseProxies,
    ),
  ),
  registry: v.pipe(
    v.strictObject({
      path: v.optional(
        text("the path of a registry clone, the folder that contains data/", (given) => given !== ""),
      ),
      url: v.optional(
        text(
          "what git fetches the registry from, such as https://git.example.net/registry.git or " +
            "git@git.example.net:registry.git, without a password",
          isGitUrl,
        ),
      ),
      max_age_days: v.optional(
        number("a number of days above 0", (value) => value > 0),
        7,
      ),
      maintainers: list(
        "a list of the maintainers that keep the registry",
        parsed('the name of a maintainer, such as "EXAMPLE-REGISTRY-MNT"', parseMaintainer),
      ),
    }),
    v.description("a table with path or url"),
  ),
  mail: v.optional(
    v.pipe(
      v.strictObject({
        url: text(
          "an smtp:// or smtps:// URL such as smtp://127.0.0.1:25 or smtps://user:password@mail.example.net, without " +
            "parameters, and with special characters percent-encoded",
          isSmtpUrl,
        ),
        from: text('a mail address, "noc@example.net" or "Example NOC <noc@example.net>"', isSender),
        tls: v.optional(mailTls),
        ca: v.optional(text("the path of a PEM file with a certificate", (given) => given !== "")),
        require_tls: removedKey(
          'tls = "required" instead of true, or tls = "opportunistic" instead of false',
        ),
        unreachable_domains: list(
          "a list of domains",
          parsed('a domain that the mail server cannot reach, such as "dn42"', parseMailDomain),
        ),
      }),
      v.description("a table with url and from"),
    ),
  ),
  auth: v.optional(
    v.pipe(
      v.strictObject({
        kioubit: v.optional(
          v.pipe(
            v.strictObject({
              url: v.optional(
                text("an http or https URL with a plain host", isHttpUrl),
                "https://dn42.g-load.eu/auth/",
              ),
              public_key: text(
                'a PEM public key on the curve P-521, from "-----BEGIN PUBLIC KEY-----" to "-----END PUBLIC KEY-----", ' +
                  "between three quotes",
                isP521PublicKey,
              ),
            }),
            v.description("a table with url and public_key"),
          ),
        ),
      }),
      v.description("a table with kioubit"),
    ),
    {},
  ),
  audit: v.optional(
    v.pipe(
      v.strictObject({
        keep_days: v.optional(
          number("a whole number of days from 30 to 36500", (value) => isWholeNumber(value, 30, 36_500)),
          400,
        ),
        keep_address_days: v.optional(
          number("a whole number of days from 1 to 36500", (value) => isWholeNumber(value, 1, 36_500)),
          30,
        ),
      }),
      v.description("a table with keep_days and keep_address_days"),
    ),
    {},
  ),
  publish: v.optional(
    v.pipe(
      v.strictObject({ peerings: v.optional(yesOrNo, false), link_latency: v.optional(yesOrNo, false) }),
      v.description("a table with peerings and link_latency"),
    ),
    {},
  ),
  push: v.optional(
    v.pipe(
      v.strictObject({
        hosts: list(
          "a list of push services",
          parsed(
            'a hostname or an address, with a port unless it is 443: "push.example.net:8443"',
            parsePushHost,
          ),
        ),
      }),
      v.description("a table with hosts"),
    ),
    {},
  ),
  facts: v.optional(
    v.pipe(
      v.strictObject({
        resolver: v.optional(
          text("an IPv4 or IPv6 address", (given) => given === "" || parseAddress(given) !== null),
          "",
        ),
        looking_glass: page,
        status_page: page,
      }),
      v.description("a table with resolver, looking_glass and status_page"),
    ),
    {},
  ),
  map: v.optional(map, {}),
  dashboards: v.optional(
    v.pipe(
      v.strictObject({
        node_cpu: template("node"),
        node_memory: template("node"),
        interface: template("node", "asn"),
        total_routes: template(),
      }),
      v.description("a table with node_cpu, node_memory, interface and total_routes"),
    ),
    {},
  ),
  nodes: v.optional(v.pipe(v.array(node), v.description("one [[nodes]] table for every node")), []),
});

export type ProfileFile = v.InferOutput<typeof profileFile>;
