import { generateKeyPairSync, verify } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { prefix } from "../../domain/prefix.ts";
import { openIdentity } from "../../mtls/tls-identity.ts";
import { ConfigError } from "../../system/config/config-error.ts";
import { createFolder } from "../../system/fixtures/create-folder.ts";
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
    registry: {
      from: { url: "https://git.example.net/dn42/registry.git" },
      maxAgeDays: 7,
      maintainers: ["EXAMPLE-REGISTRY-MNT"],
    },
    mail: {
      url: "smtps://peerdeck:secret@mail.example.net",
      tls: "required",
      ca: null,
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

test("optional keys have defaults", async () => {
  const profile = JSON.stringify(parseProfile(least, "/etc/peerdeck/provider.toml"), null, 2);
  await expect(`${profile}\n`).toMatchFileSnapshot("golden/least-profile.txt");
});

/** Parses the least profile with these lines before its table of the registry. */
const parseWith = (lines: string) =>
  parseProfile(least.replace("[registry]", `${lines}\n[registry]`), "p.toml");

const mapOf = (lines: string) => parseWith(`[map]\n${lines}`).facts.map;

test("a map without tiles needs no attribution, and other tiles need their own", () => {
  expect(mapOf('tiles = ""')).toEqual({ tiles: "", attribution: "", attribution_url: "" });
  const own = { tiles: "/tiles/{z}/{x}/{y}.png", attribution: "© Example", attribution_url: "" };
  expect(mapOf(`tiles = "${own.tiles}"\nattribution = "${own.attribution}"`)).toEqual(own);
});

test("Kioubit's authentication service is off without its table, and the documented key is the one that it signs with", async () => {
  expect(parseWith("").kioubit).toBeNull();
  const guide = await readFile(new URL("../../../docs/provider-profile.md", import.meta.url), "utf8");
  const table = /```toml\n(\[auth\.kioubit\][^`]+)```/.exec(guide)?.[1] ?? "";
  const { url, publicKey } = parseWith(table).kioubit ?? { url: "", publicKey: "" };
  expect(url).toBe("https://dn42.g-load.eu/auth/");
  // A response that the service has published for tests of verifiers.
  const params =
    "eyJhc24iOiI0MjQyNDIzMDM1IiwidGltZSI6MTY2ODI2NjkyNiwiYWxsb3dlZDQiOiIxNzIuMjIuMTI1LjEyOFwvMjYsMTcyLjIwLjAuODFcLzMyIiwiYWxsb3dlZDYiOiJmZDYzOjVkNDA6NDdlNTo6XC80OCxmZDQyOmQ0MjpkNDI6ODE6OlwvNjQiLCJtbnQiOiJMQVJFLU1OVCIsImF1dGh0eXBlIjoibG9naW5jb2RlIiwiZG9tYWluIjoic3ZjLmJ1cmJsZS5kbjQyIn0=";
  const signature =
    "MIGIAkIBAmwz3sQ1vOkH8+8e0NJ8GsUqKSaazIWmYDp60sshlTo7gCAopZOZ6/+tD6s+oEGM1i5mKGbHgK9ROATQLHxUZecCQgCa2N828uNn76z1Yg63/c7veMVIiK4l1X9TCUepJnJ3mCto+7ogCP+2vQm6GHipSNRF4wnt6tZbir0HZvrqEnRAmA==";
  expect(verify("sha512", Buffer.from(params), publicKey, Buffer.from(signature, "base64"))).toBe(true);
});

test("push hosts are in the form of URLs, without port 443", () => {
  const hosts = '["Push.example.net", "a.example.net:443", "192.0.2.1:8443", "[::1]:8443"]';
  const parsed = ["push.example.net", "a.example.net", "192.0.2.1:8443", "[::1]:8443"];
  expect(parseWith(`[push]\nhosts = ${hosts}`).pushHosts).toEqual(parsed);
});

test("domains that the mail server cannot reach are in lower case, without a leading dot", () => {
  const table = '[mail]\nurl = "smtp://127.0.0.1"\nfrom = "a@example.org"';
  expect(parseWith(table).mail?.unreachableDomains).toEqual([]);
  const { mail } = parseWith(`${table}\nunreachable_domains = ["dn42", ".Hack", "mail.example.net"]`);
  expect(mail?.unreachableDomains).toEqual(["dn42", "hack", "mail.example.net"]);
});

test("maintainers that keep the registry are in upper case", () => {
  expect(parseProfile(least, "p.toml").registry.maintainers).toEqual([]);
  const text = least.replace("[registry]", '[registry]\nmaintainers = ["Keeper-mnt", "TEST_2-MNT"]');
  expect(parseProfile(text, "p.toml").registry.maintainers).toEqual(["KEEPER-MNT", "TEST_2-MNT"]);
});

test("a profile may publish more, and limit the peerings of a node", () => {
  const text = least.replace("[registry]", "[publish]\npeerings = true\nlink_latency = true\n[registry]");
  const { publish, nodes } = parseProfile(`${text}max_peerings = 60\n`, "p.toml");
  expect(publish).toEqual({ peerings: true, linkLatency: true });
  expect(nodes[0]?.maxPeerings).toBe(60);
  expect(parseProfile(`${least}max_peerings = 0\n`, "p.toml").nodes[0]?.maxPeerings).toBe(0);
});

const withUrls = (...urls: readonly string[]) =>
  least.replace('public_url = "http://127.0.0.1:4242/"', `public_urls = ${JSON.stringify(urls)}`);

test("the first of several public URLs is the main one, and plain http beside https is allowed", () => {
  const { publicUrl, otherPublicUrls } = parseProfile(
    withUrls("https://Peering.example.net/", "http://peering.example.dn42", "https://10.0.0.1:8443"),
    "p.toml",
  );
  expect(publicUrl).toBe("https://peering.example.net");
  expect(otherPublicUrls).toEqual(["http://peering.example.dn42", "https://10.0.0.1:8443"]);
  expect(parseProfile(least, "p.toml")).toMatchObject({
    publicUrl: "http://127.0.0.1:4242",
    otherPublicUrls: [],
  });
  const plain = withUrls("http://a.example.org", "http://b.a.example.org");
  const withHsts = plain.replace("[registry]", "hsts_include_subdomains = true\n[registry]");
  expect(parseProfile(withHsts, "p.toml").otherPublicUrls).toEqual(["http://b.a.example.org"]);
});

test("trusted proxies are addresses or ranges, IPv4-mapped addresses as IPv4", () => {
  const proxies = '["127.0.0.1", "2001:DB8:0::1", "10.0.3.0/24", "fd00:3::/64", "::FFFF:192.0.2.1"]';
  const ranges = ["127.0.0.1/32", "2001:db8::1/128", "10.0.3.0/24", "fd00:3::/64", "192.0.2.1/32"];
  expect(parseWith(`trusted_proxies = ${proxies}`).trustedProxies).toEqual(ranges.map(prefix));
});

const longUrls = ["https://{node}.example.org/as/{asn}", "https://g-{asn}.example.org/{node}"];
const otherHosts = [
  "https://s.example.org;script-src/x",
  "https://s.example.org,b/",
  "https://me:pw@s.example.org/",
];
const otherTiles = [
  "https://{s}.example.org/{z}/{x}/{y}.png",
  "https://{z}.example.org/{x}/{y}.png",
  "https://t.example.org;script-src/{z}/{x}/{y}.png",
  "https://t.example.org/{z}/{x}.png",
];
const otherPushHosts = [
  "https://push.example.net",
  "push.example.net/send",
  "me@push.example.net",
  "*.example.net",
];
const otherProxies = ["proxy.example.net", "10.0.3.1/24", "10.0.3.0/33", "0.0.0.0/0", "::/0", "10.0.3.*"];

/** The line of the least profile to replace, or the table before which to insert, and the other text. */
const keys = createKeys();

/** PEM texts: a public key as Kioubit's service has one, one on another curve, and a private key. */
function createKeys() {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-521" });
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const [P521 = "", P256 = ""] = [pair, other].map(({ publicKey }) =>
    publicKey.export({ type: "spki", format: "pem" }),
  );
  return { P521, P256, private: pair.privateKey.export({ type: "pkcs8", format: "pem" }) };
}

const mistakes: ReadonlyArray<readonly [replaced: string, instead: string]> = [
  ["asn = 4242420007", 'asn = "AS0"'],
  ["asn = 4242420007", "asn = 4294967296"],
  ["asn = 4242420007", "asn = true"],
  ["asn = 4242420007", "asn ="],
  ['name = "Least"', 'nam = "Least"'],
  ['name = "Least"', 'name = "Least\\r\\nBcc: x@example.org"'],
  ['public_url = "http://127.0.0.1:4242/"', 'public_url = "https://a.example.org/app"'],
  ['public_url = "http://127.0.0.1:4242/"', ""],
  ['public_url = "http://127.0.0.1:4242/"', 'public_url = ["http://127.0.0.1:4242"]'],
  ...[
    "[]",
    '"https://a.example.org"',
    '["https://a.example.org", "https://b.example.org/app", 4242]',
    '["https://a.example.org", "http://A.example.org:80", "https://a.example.org/"]',
    '["https://a.example.org", "http://b.a.example.org"]\nhsts_include_subdomains = true',
  ].map((urls) => ['public_url = "http://127.0.0.1:4242/"', `public_urls = ${urls}`] as const),
  ['name = "Least"', 'name = "Least"\npublic_urls = ["https://a.example.org"]'],
  ['path = "registry"', ""],
  ['path = "registry"', "max_age_days = 0\npath = 'r'"],
  ['path = "registry"', 'path = "registry"\nurl = "https://git.example.net/registry.git"'],
  ['path = "registry"', 'url = "ext::sh -c id"'],
  ...['"KEEPER-MNT"', "[4242]", '["A-MNT, B-MNT"]', '[""]', '["../A-MNT"]'].map(
    (names) => ['path = "registry"', `path = "registry"\nmaintainers = ${names}`] as const,
  ),
  ["lat = 0", ""],
  ["lat = 0", "lat = 90.5"],
  ["lon = 0", 'lon = "8.68"'],
  ["lon = 0", "lon = 0\nmax_peerings = 1.5"],
  ["lon = 0", "lon = 0\nmax_peerings = -3"],
  ["lon = 0", 'lon = 0\nmax_peerings = "60"'],
  ['name = "a1"', 'name = "A1"'],
  ["lat = 0", 'lat = 0\nlink_local = "fe80:1::1"'],
  ["lat = 0", 'lat = 0\nagent = { url = "https://192.0.2.1:1", fingerprint = "ab" }'],
  ["lat = 0", 'lat = 0\nlon = 0\npublic_ip = "192.0.2.1"\n[[nodes]]\nname = "a1"\nplace = "There"\nlat = 1'],
  ...[
    'prefixes = ["172.20.0.1/24"]',
    'prefixes = "172.20.0.0/24"',
    "[audit]\nkeep_days = 29",
    '[dashboards]\ninterface = "https://g.example.org/{node}"',
    ...longUrls.map((url) => `[dashboards]\ninterface = "${url}"`),
    '[dashboards]\ntotal_routes = "javascript:alert(1)"',
    '[dashboards]\nnode_cpu = "https://g.example.org;script-src/{node}"',
    ...otherHosts.map((url) => `[facts]\nstatus_page = "${url}"`),
    '[map]\nattribution_url = "https://t.example.org;img-src"',
    '[map]\ntiles = "https://t.example.org/{z}/{x}/{y}.png"',
    ...otherTiles.map((tiles) => `[map]\nattribution = ""\ntiles = "${tiles}"`),
    ...[...otherPushHosts, "a b", "::1"].map((host) => `[push]\nhosts = ["${host}"]`),
    '[mail]\nurl = "http://me:canary@x"\nfrom = "a@example.org"',
    ...[
      ...[
        "require_tls = true",
        "starttls = true",
        "tls = true",
        'ca = ""',
        'tls = "none"\nca = "ca.pem"',
      ].map((key) => ["smtp://127.0.0.1", key] as const),
      ["smtps://127.0.0.1", 'tls = "opportunistic"'],
      ["smtp://me:canary@mail.example.net", 'tls = "none"'],
    ].map(([url, key]) => `[mail]\nurl = "${url}"\nfrom = "a@example.org"\n${key}`),
    "max_age_days = 7",
    "[push]\nsupport_address = 1",
    ...["", ".", "dn42.", "*.dn42", "ada@dn42"].map(
      (domain) => `[mail]\nurl = "smtp://x"\nfrom = "a@example.org"\nunreachable_domains = ["${domain}"]`,
    ),
    "[auth]\nkioubit = true",
    "[auth.kioubit]\nkey = 1",
    `[auth.kioubit]\nurl = "javascript:alert()"\npublic_key = """\n${keys.P521}"""`,
    ...[keys.private, keys.P256, keys.P521.slice(40), keys.P521.replace("MI", "IM"), "canary"].map(
      (key) => `[auth.kioubit]\npublic_key = """\n${key}"""`,
    ),
    "__proto__ = 1",
    ...[...otherProxies, "::ffff:10.0.3.0/120"].map((proxy) => `trusted_proxies = ["127.0.0.1", "${proxy}"]`),
  ].map((text) => ["[registry]", `${text}\n[registry]`] as const),
];

function errorOf(text: string): string {
  try {
    parseProfile(text, "p.toml");
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  return "no error";
}

test("every mistake has an error with its line, its key and what is expected", async () => {
  const errors = mistakes.map(([replaced, instead]) => {
    const text = least.replace(replaced, instead);
    expect(text).not.toBe(least);
    return `${errorOf(text)}\n`;
  });
  await expect(errors.join("")).toMatchFileSnapshot("golden/profile-errors.txt");
});

test.each([
  ["smtp://mail.example.net", "", "required"],
  ["smtps://127.0.0.1", "", "required"],
  ["smtp://127.0.0.1", 'ca = "ca.pem"', "required"],
  ["smtp://127.0.0.1", "", "opportunistic"],
  ["smtp://me:secret@localhost", "", "opportunistic"],
  ["smtp://me:secret@127.0.0.1", 'tls = "none"', "none"],
  ["smtp://relay.example.net", 'tls = "opportunistic"', "opportunistic"],
  ["smtp://127.0.0.1", 'tls = "required"', "required"],
])("TLS of mail to %s with %j: %s", (url, key, tls) => {
  const { mail } = parseWith(`[mail]\nurl = "${url}"\nfrom = "a@example.org"\n${key}`);
  expect(mail).toMatchObject({ tls });
});

test("the certificate of the mail server's authority is read from a file beside the profile", async () => {
  const folder = await createFolder();
  const path = join(folder, "provider.toml");
  const table = '[mail]\nurl = "smtp://mail.example.net"\nfrom = "a@example.org"\nca = "tls/ca.pem"\n';
  await writeFile(path, least.replace("[registry]", `${table}[registry]`));
  const problem = (found: string) =>
    `${path}:9: mail.ca must be a readable PEM file with the certificate of the authority, or of the mail server itself, ` +
    `found "${folder}/tls/ca.pem" (${found}). Copy the certificate there, or remove ca.`;
  const { certificate } = await openIdentity(join(folder, "identity"), "Example Authority");
  const damaged = certificate.replace("\n", "\nAAAA");
  const caPath = join(folder, "tls/ca.pem");

  await expect(readProfile(path)).rejects.toThrow(problem("ENOENT"));
  await mkdir(caPath, { recursive: true });
  await expect(readProfile(path)).rejects.toThrow(problem("EISDIR"));
  await rm(caPath, { recursive: true });
  await writeFile(caPath, "no certificate");
  await expect(readProfile(path)).rejects.toThrow(problem("no certificate in it"));
  await writeFile(caPath, `${certificate}\n${damaged}`);
  await expect(readProfile(path)).rejects.toThrow(problem("a damaged certificate in it"));
  await writeFile(caPath, `# Example Authority\n${certificate}`);
  expect((await readProfile(path)).mail?.ca).toBe(certificate.trim());
});

test("two nodes cannot share an endpoint or a tunnel address", () => {
  const second = example
    .replaceAll("172.20.222.11", "172.20.222.14")
    .replace('"203.0.113.11"', '"2001:DB8:14:0::1"');
  expect(() => parseProfile(second, "p.toml")).toThrow(
    'nodes[2].public_ip is "2001:db8:14::1", the same as nodes[1].endpoints.',
  );
  expect(() => parseProfile(second, "p.toml")).toThrow(
    'nodes[2].tunnel_ipv4 is "172.20.222.14", the same as nodes[1].tunnel_ipv4. Change one of them.',
  );
});

test("the error for an unreadable file names it", async () => {
  const what = "The provider profile /nonexistent/provider.toml cannot be read (ENOENT).";
  const error = new ConfigError(`${what} PEERDECK_CONFIG must name a readable TOML file.`);
  await expect(readProfile("/nonexistent/provider.toml")).rejects.toThrow(error);
});
