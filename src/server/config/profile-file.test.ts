import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { prefix } from "../../domain/prefix.ts";
import { ConfigError } from "../../system/config/config-error.ts";
import { parseProfile, readProfile } from "./profile-file.ts";

const examplePath = fileURLToPath(new URL("../../../docs/provider.example.toml", import.meta.url));
const example = await readFile(examplePath, "utf8");

const least = `name = "Least"
domain = "least.dn42"
asn = 4242420007
public_url = "http://127.0.0.1:4242/"
support_address = "noc@example.org"
[registry]
path = "registry"
[[nodes]]
name = "a1"
place = "Here"
lat = 0
lon = 0
public_ip = "A1.Example.org"
`;

test("the documented example is a valid profile", async () => {
  const profile = await readProfile(examplePath);
  expect(profile).toMatchObject({
    name: "Example Network",
    asn: "4242422227",
    publicUrl: "https://peering.example.net",
    prefixes: [prefix("172.20.222.0/24"), prefix("fd42:4242:2227::/48")],
    registry: { from: { url: "https://git.example.net/dn42/registry.git" }, maxAgeDays: 7 },
    mail: {
      url: "smtps://peerdeck:secret@mail.example.net",
      requireTls: true,
      from: "Example Network <peering@example.net>",
    },
  });
  expect(profile.nodes[0]).toMatchObject({
    name: "de01",
    endpoints: ["de01.example.net", "198.51.100.14", "2001:db8:14::1"],
    linkLocal: "fe80::2227",
    agent: { url: "https://198.51.100.14:4243" },
  });
  expect(profile.facts.dashboards.interface).toContain("var-node={node}&var-asn={asn}");
});

test("every key of the schema is documented", async () => {
  const guide = await readFile(new URL("../../../docs/provider-profile.md", import.meta.url), "utf8");
  for (const [, key] of example.matchAll(/^([a-z_0-9]+) =/gm)) expect(guide).toContain(`\`${key}\``);
});

test("optional keys have defaults", () => {
  expect(parseProfile(least, "/etc/peerdeck/provider.toml")).toEqual({
    name: "Least",
    domain: "least.dn42",
    asn: "4242420007",
    publicUrl: "http://127.0.0.1:4242",
    supportAddress: "noc@example.org",
    prefixes: [],
    allowDocumentation: false,
    hstsIncludeSubdomains: false,
    registry: { from: { path: "/etc/peerdeck/registry" }, maxAgeDays: 7 },
    publish: { peerings: false, linkLatency: false },
    audit: { keepDays: 400, keepAddressDays: 30 },
    mail: null,
    trustedProxies: [],
    pushHosts: [],
    facts: {
      resolver: "",
      looking_glass: "",
      status_page: "",
      map: {
        tiles: "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
        attribution: "© OpenStreetMap contributors",
        attribution_url: "https://www.openstreetmap.org/copyright",
      },
      dashboards: { node_cpu: "", node_memory: "", interface: "", total_routes: "" },
    },
    nodes: [
      {
        name: "a1",
        place: "Here",
        lat: 0,
        lon: 0,
        publicIp: "a1.example.org",
        endpoints: ["a1.example.org"],
        tunnelIpv4: null,
        linkLocal: "fe80::7",
        maxPeerings: null,
        agent: null,
      },
    ],
  });
});

function mapOf(table: string) {
  return parseProfile(least.replace("[registry]", `[map]\n${table}\n[registry]`), "p.toml").facts.map;
}

test("a map without tiles needs no attribution, and other tiles need their own", () => {
  expect(mapOf('tiles = ""')).toEqual({ tiles: "", attribution: "", attribution_url: "" });
  const own = { tiles: "/tiles/{z}/{x}/{y}.png", attribution: "© Example", attribution_url: "" };
  expect(mapOf(`tiles = "${own.tiles}"\nattribution = "${own.attribution}"`)).toEqual(own);
});

test("push hosts are in the form of URLs, without port 443", () => {
  const hosts = '["Push.example.net", "a.example.net:443", "192.0.2.1:8443", "[::1]:8443"]';
  const text = least.replace("[registry]", `[push]\nhosts = ${hosts}\n[registry]`);
  expect(parseProfile(text, "p.toml").pushHosts).toEqual([
    "push.example.net",
    "a.example.net",
    "192.0.2.1:8443",
    "[::1]:8443",
  ]);
});

test("a profile may publish more, and limit the peerings of a node", () => {
  const text = least.replace("[registry]", "[publish]\npeerings = true\nlink_latency = true\n[registry]");
  const { publish, nodes } = parseProfile(`${text}max_peerings = 60\n`, "p.toml");
  expect(publish).toEqual({ peerings: true, linkLatency: true });
  expect(nodes[0]?.maxPeerings).toBe(60);
});

test.each(["0", "1.5", "-3", '"60"'])("max_peerings cannot be %s", (value) => {
  expect(() => parseProfile(`${least}max_peerings = ${value}\n`, "p.toml")).toThrow(
    `nodes[1].max_peerings must be a whole number from 1 to 1000000, found ${value}.`,
  );
});

test("trusted proxies are addresses or ranges, IPv4-mapped addresses as IPv4", () => {
  const proxies = '["127.0.0.1", "2001:DB8:0::1", "10.0.3.0/24", "fd00:3::/64", "::FFFF:192.0.2.1"]';
  const text = least.replace("[registry]", `trusted_proxies = ${proxies}\n[registry]`);
  expect(parseProfile(text, "p.toml").trustedProxies).toEqual(
    ["127.0.0.1/32", "2001:db8::1/128", "10.0.3.0/24", "fd00:3::/64", "192.0.2.1/32"].map(prefix),
  );
});

test.each([
  "proxy.example.net",
  "10.0.3.1/24",
  "10.0.3.0/33",
  "0.0.0.0/0",
  "::/0",
  "::ffff:10.0.3.0/120",
  "10.0.3.*",
])("%j is not a trusted proxy", (proxy) => {
  const text = least.replace("[registry]", `trusted_proxies = ["127.0.0.1", "${proxy}"]\n[registry]`);
  expect(() => parseProfile(text, "p.toml")).toThrow(
    new ConfigError(
      `p.toml:6: trusted_proxies[2] must be an IPv4 or IPv6 address, or a range without host bits such as "10.0.0.0/8", but not all addresses, found "${proxy}".`,
    ),
  );
});

/** The text to replace, its replacement, and the resulting message. */
test.each([
  [
    "asn = 4242420007",
    'asn = "AS0"',
    'p.toml:3: asn must be an AS number such as "4242422227", found "AS0".',
  ],
  [
    "asn = 4242420007",
    "asn = 4294967296",
    'p.toml:3: asn must be an AS number such as "4242422227", found 4294967296.',
  ],
  ["asn = 4242420007", "asn = true", 'p.toml:3: asn must be an AS number such as "4242422227", found true.'],
  [
    'name = "Least"',
    'nam = "Least"',
    "p.toml:1: name is missing; it must be a text of at most 80 characters without quotes, angle brackets or line breaks.\n" +
      "p.toml:1: nam is not a known key; known keys are name, domain, asn, public_url, support_address, prefixes, allow_documentation, hsts_include_subdomains, trusted_proxies, registry, mail, audit, publish, push, facts, map, dashboards, nodes.",
  ],
  [
    'name = "Least"',
    'name = "Least\\r\\nBcc: x@example.org"',
    'p.toml:1: name must be a text of at most 80 characters without quotes, angle brackets or line breaks, found "Least\\r\\nBcc: x@example.org".',
  ],
  [
    'public_url = "http://127.0.0.1:4242/"',
    'public_url = "https://a.example.org/app"',
    'p.toml:4: public_url must be the public http or https URL of the app without a path, such as https://peering.example.net, found "https://a.example.org/app".',
  ],
  [
    "[registry]",
    'prefixes = ["172.20.0.1/24"]\n[registry]',
    'p.toml:6: prefixes[1] must be a prefix without host bits, such as "172.20.0.0/24" or "fd00:1::/48", found "172.20.0.1/24".',
  ],
  [
    "[registry]",
    'prefixes = "172.20.0.0/24"\n[registry]',
    'p.toml:6: prefixes must be a list of the provider\'s own prefixes, found "172.20.0.0/24".',
  ],
  [
    'path = "registry"',
    "max_age_days = 0\npath = 'r'",
    "p.toml:7: registry.max_age_days must be a number of days above 0, found 0.",
  ],
  [
    "[registry]",
    "[audit]\nkeep_days = 29\n[registry]",
    "p.toml:7: audit.keep_days must be a whole number of days from 30 to 36500, found 29.",
  ],
  [
    'path = "registry"',
    "",
    "p.toml:6: registry.path is missing; it must be the path of a registry clone, the folder that contains data/.",
  ],
  [
    'path = "registry"',
    'path = "registry"\nurl = "https://git.example.net/registry.git"',
    'p.toml:8: registry.url must be what git fetches the registry from, such as https://git.example.net/registry.git or git@git.example.net:registry.git, without a password, or nothing if there is a path, found "https://git.example.net/registry.git".',
  ],
  [
    'path = "registry"',
    'url = "ext::sh -c id"',
    'p.toml:7: registry.url must be what git fetches the registry from, such as https://git.example.net/registry.git or git@git.example.net:registry.git, without a password, or nothing if there is a path, found "ext::sh -c id".',
  ],
  ["lat = 0", "lat = 90.5", "p.toml:11: nodes[1].lat must be a latitude from -90 to 90, found 90.5."],
  ["lon = 0", 'lon = "8.68"', 'p.toml:12: nodes[1].lon must be a longitude from -180 to 180, found "8.68".'],
  ["lat = 0", "", "p.toml:8: nodes[1].lat is missing; it must be a latitude from -90 to 90."],
  [
    'name = "a1"',
    'name = "A1"',
    'p.toml:9: nodes[1].name must be 1 to 20 lower-case letters, digits and hyphens, found "A1".',
  ],
  [
    "lat = 0",
    'lat = 0\nlink_local = "fe80:1::1"',
    'p.toml:12: nodes[1].link_local must be an address within fe80::/64, without a zone, found "fe80:1::1".',
  ],
  [
    "lat = 0",
    'lat = 0\nagent = { url = "https://192.0.2.1:1", fingerprint = "ab" }',
    'p.toml:12: nodes[1].agent.fingerprint must be the SHA-256 fingerprint that the agent printed at its first start, 64 hexadecimal digits with or without colons, found "ab".',
  ],
  [
    "[registry]",
    '[dashboards]\ninterface = "https://g.example.org/{node}"\n[registry]',
    'p.toml:7: dashboards.interface must be an http or https URL with a plain host, or a path that starts with /, that contains {node} and {asn} after the host and no other placeholder, found "https://g.example.org/{node}".',
  ],
  [
    "[registry]",
    '[dashboards]\ntotal_routes = "javascript:alert(1)"\n[registry]',
    'p.toml:7: dashboards.total_routes must be an http or https URL with a plain host, or a path that starts with /, without placeholders, found "javascript:alert(1)".',
  ],
  ...["https://{node}.example.org/as/{asn}", "https://g-{asn}.example.org/{node}"].map((url) => [
    "[registry]",
    `[dashboards]\ninterface = "${url}"\n[registry]`,
    `p.toml:7: dashboards.interface must be an http or https URL with a plain host, or a path that starts with /, that contains {node} and {asn} after the host and no other placeholder, found "${url}".`,
  ]),
  ...["https://s.example.org;script-src/x", "https://s.example.org,b/", "https://me:pw@s.example.org/"].map(
    (url) => [
      "[registry]",
      `[facts]\nstatus_page = "${url}"\n[registry]`,
      `p.toml:7: facts.status_page must be an http or https URL with a plain host, or a path that starts with /, found "${url}".`,
    ],
  ),
  [
    "[registry]",
    '[map]\nattribution_url = "https://t.example.org;img-src"\n[registry]',
    'p.toml:7: map.attribution_url must be an http or https URL with a plain host, found "https://t.example.org;img-src".',
  ],
  [
    "[registry]",
    '[dashboards]\nnode_cpu = "https://g.example.org;script-src/{node}"\n[registry]',
    'p.toml:7: dashboards.node_cpu must be an http or https URL with a plain host, or a path that starts with /, that contains {node} after the host and no other placeholder, found "https://g.example.org;script-src/{node}".',
  ],
  [
    "[registry]",
    '[map]\ntiles = "https://t.example.org/{z}/{x}/{y}.png"\n[registry]',
    'p.toml:6: map.attribution is missing; it must be the attribution that the tile service requires, or "" for none.',
  ],
  ...[
    "https://{s}.example.org/{z}/{x}/{y}.png",
    "https://{z}.example.org/{x}/{y}.png",
    "https://t.example.org;script-src/{z}/{x}/{y}.png",
    "https://t.example.org/{z}/{x}.png",
  ].map((tiles) => [
    "[registry]",
    `[map]\nattribution = ""\ntiles = "${tiles}"\n[registry]`,
    `p.toml:8: map.tiles must be an http or https URL with a plain host, or a path that starts with /, that contains {z}, {x} and {y} after the host and no other placeholder, found "${tiles}".`,
  ]),
  ...[
    "https://push.example.net",
    "push.example.net/send",
    "me@push.example.net",
    "*.example.net",
    "a b",
    "::1",
  ].map((host) => [
    "[registry]",
    `[push]\nhosts = ["${host}"]\n[registry]`,
    `p.toml:7: push.hosts[1] must be a hostname or an address, with a port unless it is 443: "push.example.net:8443", found "${host}".`,
  ]),
  [
    "[registry]",
    '[mail]\nurl = "http://me:canary@x"\nfrom = "a@example.org"\n[registry]',
    "p.toml:7: mail.url must be an smtp:// or smtps:// URL without parameters.",
  ],
  [
    "[registry]",
    "__proto__ = 1\n[registry]",
    "p.toml:6:1: Invalid TOML document: document contains an unsafe property.",
  ],
  ["asn = 4242420007", "asn =", "p.toml:3:6: Invalid TOML document: invalid value."],
  [
    "lat = 0",
    'lat = 0\nlon = 0\npublic_ip = "192.0.2.1"\n[[nodes]]\nname = "a1"\nplace = "There"\nlat = 1',
    'p.toml:15: nodes[2].name is "a1", the same as nodes[1].name.',
  ],
])("%s → %s", (piece, instead, message) => {
  const text = least.replace(piece, instead);
  expect(text).not.toBe(least);
  expect(() => parseProfile(text, "p.toml")).toThrow(new ConfigError(message));
});

test.each([
  ["smtp://mail.example.net", "", true],
  ["smtp://127.0.0.1", "", false],
  ["smtp://relay.example.net", "require_tls = false", false],
  ["smtp://127.0.0.1", "require_tls = true", true],
])("mail to %s with %j requires TLS: %s", (url, key, requireTls) => {
  const mail = `[mail]\nurl = "${url}"\nfrom = "a@example.org"\n${key}\n[registry]`;
  expect(parseProfile(least.replace("[registry]", mail), "p.toml").mail).toMatchObject({ requireTls });
});

test("two nodes cannot share an endpoint or a tunnel address", () => {
  const second = example
    .replaceAll("172.20.222.11", "172.20.222.14")
    .replace('"203.0.113.11"', '"2001:DB8:14:0::1"');
  expect(() => parseProfile(second, "p.toml")).toThrow(
    'nodes[2].public_ip is "2001:db8:14::1", the same as nodes[1].endpoints.',
  );
  expect(() => parseProfile(second, "p.toml")).toThrow(
    'nodes[2].tunnel_ipv4 is "172.20.222.14", the same as nodes[1].tunnel_ipv4.',
  );
});

test("the error for an unreadable file names it", async () => {
  await expect(readProfile("/nonexistent/provider.toml")).rejects.toThrow(
    new ConfigError(
      "The provider profile /nonexistent/provider.toml cannot be read (ENOENT). PEERDECK_CONFIG must name a readable TOML file.",
    ),
  );
});
