/**
 * The CPU time of the parsers of text that others write: registry, routers, ROA lists, mail addresses, configuration,
 * URLs, keys and bodies. Four times the text may take at most eight times the time; a quadratic parser takes sixteen times.
 *
 * Parsers behind a limit below 1 MB are here too: the limit has to refuse a text before an expression reads it. The limits
 * of whole requests and files are tested where they are: `guard.test.ts` and `hostile-files.test.ts` in tests/integration.
 */
import { expect, test } from "vitest";
import { agentCalls } from "#contract/agent.ts";
import { calls } from "#contract/calls.ts";
import { createCaller } from "#contract/client.ts";
import { readBody } from "#contract/request-body.ts";
import { parseAgentConfig } from "#agent/config/agent-config.ts";
import { createReplyReader } from "#agent/drivers/bird/control-socket.ts";
import { annotateReasons } from "#agent/drivers/bird/filter-reasons.ts";
import { parseFilteredRoutes } from "#agent/drivers/bird/parse-filtered.ts";
import { parseSessions } from "#agent/drivers/bird/parse-session.ts";
import { parseListing } from "#agent/drivers/firewall/elements.ts";
import { parseRouteCounts } from "#agent/drivers/linux/node-usage.ts";
import { parsePorts } from "#agent/drivers/linux/values-in-use.ts";
import { parseRoas } from "#agent/drivers/roa/parse-roas.ts";
import { parseLinks } from "#agent/drivers/wireguard/addresses.ts";
import { parseDump } from "#agent/drivers/wireguard/parse-dump.ts";
import { isAsn, parseAsn } from "#domain/asn.ts";
import { describeBrowser } from "#domain/browser-name.ts";
import { canonicalizeHost } from "#domain/host-name.ts";
import { isMailAddress } from "#domain/mail-address.ts";
import { readPlainValue } from "#domain/peering/pasted/plain-value.ts";
import { maxPastedLength, takeApart } from "#domain/peering/pasted/take-apart.ts";
import { isBase64, parseKey } from "#domain/peering/wireguard-key.ts";
import { parseAddress, parsePrefix } from "#domain/prefix.ts";
import {
  maxSignatureLength,
  readPastedPublicKey,
  readPastedSignature,
} from "#domain/proofs/pasted-signature.ts";
import { findWithheld } from "#domain/secrets/withheld-value.ts";
import { parseFingerprint } from "#mtls/tls-identity.ts";
import { isGitUrl } from "#server/config/git-url.ts";
import { isSmtpUrl } from "#server/config/mail-url.ts";
import { parseProfile } from "#server/config/profile-file.ts";
import { isHttpUrl, isSender, parseOrigin, parsePushHost } from "#server/config/profile-values.ts";
import { readAuthLine } from "#server/registry/auth/auth-line.ts";
import { readKeyCert } from "#server/registry/auth/key-cert.ts";
import { maxObjectBytes } from "#server/registry/file-access.ts";
import { readMaintainers } from "#server/registry/contacts.ts";
import { readOrigins } from "#server/registry/held-addresses.ts";
import { findAlteredLines, findMailAddresses } from "#server/registry/mail-addresses.ts";
import { parseRpsl } from "#server/registry/objects.ts";
import { createLineFinder } from "#system/config/toml-lines.ts";
import { shortenAsPath } from "#web/features/peerings/troubleshooting/as-path.ts";
import { parseRouteListing } from "#web/features/peerings/troubleshooting/route-listing.ts";
import { sortRefused } from "#web/features/peerings/troubleshooting/route-order.ts";

const [small, large] = [1_000_000, 4_000_000];
/** The kernel counts CPU time in steps of milliseconds, and the collector of garbage runs at any time. */
const floorMs = 8;

type Shape = string | { readonly before: string; readonly unit: string; readonly after?: string };
type Parser = (text: string) => unknown;

function fill(shape: Shape, length: number): string {
  const { before, unit, after = "" } = typeof shape === "string" ? { before: "", unit: shape } : shape;
  return before + unit.repeat(Math.floor(length / unit.length)) + after;
}

async function measureMs(parse: Parser, text: string): Promise<number> {
  const before = process.cpuUsage();
  await parse(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** One look is enough where it is clearly linear; otherwise the medians of five are compared. */
async function compareSizes(
  parse: Parser,
  shape: Shape,
  [less, more]: readonly [number, number] = [small, large],
): Promise<number> {
  // A text that is much smaller stops a quadratic parser from running for hours.
  if ((await measureMs(parse, fill(shape, less / 16))) > 1_000) return Number.POSITIVE_INFINITY;
  const [few, many] = [fill(shape, less), fill(shape, more)];
  const compare = async (runs: number) => {
    const measured: Array<readonly [number, number]> = [];
    for (let run = 0; run < runs; run += 1)
      measured.push([await measureMs(parse, few), await measureMs(parse, many)]);
    const [first, second] = [0, 1].map((at) => median(measured.map((pair) => pair[at] ?? 0)));
    return (second ?? 0) / Math.max(first ?? 0, floorMs);
  };
  const ratio = await compare(1);
  return ratio < 5 ? ratio : compare(5);
}

const line = (start: string, unit: string, after = ""): Shape => ({ before: start, unit, after });
/** `.` in an expression stops at this line break, and `$` does not match before it. */
const lineSeparator = "\u2028x";

const toReply = (text: string) => ({
  code: 0,
  text: "",
  isTruncated: false,
  lines: text.split("\n").map((each, index) => ({ code: index === 0 ? 1002 : 1006, text: each })),
});
const replyIn = (chunkLength: number) => (text: string) => {
  const reader = createReplyReader();
  for (let from = 0; from < text.length; from += chunkLength)
    reader.push(text.slice(from, from + chunkLength));
};
const mailsIn = (key: "e-mail" | "contact") => (text: string) => {
  const object = new Map([[key, text.match(/[^]{1,1000}/g) ?? []]]);
  return [findMailAddresses(object, key), findAlteredLines(object)];
};
const withoutErrors = (parse: Parser) => (text: string) => {
  try {
    return parse(text);
  } catch {
    return null;
  }
};
/** As the server reads what an agent sends. */
const readResponse = (text: string) => {
  const transport = async () => ({ status: 200, header: () => null, text: async () => text });
  return createCaller(transport)(agentCalls.observe, undefined).catch(() => null);
};
const session = (detail: string) =>
  `dn42_1 BGP \n  BGP state: Up\n  Neighbor capabilities\n    AF announced: x\n  Channel ipv4\n    Routes: ${detail}`;
const route = "10.0.0.0/8 unicast [x] [i]\n\tbgp_path: ";
const path = (asPath: string) => ({ prefix: "10.0.0.0/8", as_path: asPath, reason: "" }) as never;

const armourLines = ["-----BEGIN PGP PUBLIC KEY BLOCK-----", "-----END PGP PUBLIC KEY BLOCK-----"] as const;
const registryShapes = [`+${"x".repeat(60)}\n`, line("a:", " ", lineSeparator), "\r"];
const mailShapes = [line("", "x-dot-", "@b.co"), line("", "a", "@b.co")];
const replyShapes = [line("0001", "x"), `0001-${"x".repeat(60)}\n`];
const textShapes = ["a.", " ", ":", "@"];
const pasteContext = { nodes: { domain: "example.net", hosts: [], keys: [] }, toAscii: () => null };
const pastedShapes = [
  ...textShapes,
  "\n",
  "[Peer]\n",
  "[NetDev]\nName=a\n",
  "[Match]\nName=a\nPublicKey=b\n",
  "[Interface]\nPrivateKey=a\n",
  "[Peer]\nPublicKey=a\n",
  "PublicKey=a\nEndpoint=b:1\n",
  "interface: a\npeer: b\n",
  line("[Peer]\nAllowedIPs=", "fe80::1/128,"),
  line("[Interface]\nPostUp=", "ip addr add dev "),
  line("[Interface]\nPostUp=", "ip addr add 1.1.1.1/"),
  line("Endpoint=", "a"),
  line("Endpoint=", "[:"),
  "\u00fc.",
  "#",
  "PrivateKey",
  '"',
  line("/interface wireguard add ", "a"),
  line("/interface wireguard add ", 'a="\\"'),
  line("/interface wireguard add ", "a=b "),
  line("/interface wireguard add ", "\\\n"),
  line("/interface/wireguard\n", "/ "),
  line("/interface/wireguard\n", "add interface=a\n"),
  line("[", "a", "] > /interface wireguard"),
  "config interface\n",
  "config wireguard_a\noption a b\n",
  "network.@wireguard_a[-1].a=b\n",
  line("uci ", " "),
  line("config interface\noption a ", "' '"),
  "uci add network wireguard_a\nuci set network.@wireguard_a[-1].a=b\n",
];
const signatureShapes = [
  "> ",
  " ",
  "\n",
  "-",
  "A: \n",
  "-----BEGIN SSH SIGNATURE-----\n",
  "-----BEGIN PGP PUBLIC KEY BLOCK-----",
  line("-----BEGIN PGP SIGNED MESSAGE-----", "a: b\n", "-----END PGP SIGNATURE-----"),
  line("-----BEGIN SSH SIGNATURE-----", "A ", "-----END SSH SIGNATURE-----"),
  "BEGIN A",
  "ssh-rsa AAAA",
];
const tomlShapes = [
  "\n",
  "a = 1 # x\n",
  "[[nodes]]\n",
  line("x = [", " "),
  line("x = ", "["),
  line("x = ", "{a="),
  line('x = "', "a"),
  line('x = """', "a\n"),
  line("", "a.", "b = 1"),
];

test.each<readonly [string, Parser, readonly Shape[]]>([
  ["registry object", parseRpsl, registryShapes],
  [
    "names in a registry object",
    (text) => readMaintainers(new Map([["mnt-by", [text]]])),
    ["A".repeat(60), "#"],
  ],
  ["origins of a route object", (text) => readOrigins(new Map([["origin", [text]]])), ["AS", "#"]],
  ["e-mail lines", mailsIn("e-mail"), mailShapes],
  ["contact lines", mailsIn("contact"), mailShapes],
  ["one e-mail line", (text) => findMailAddresses(new Map([["e-mail", [text]]]), "e-mail"), mailShapes],
  ["BIRD's reply in chunks", replyIn(65_536), replyShapes],
  ["BIRD's reply in small chunks", replyIn(4_096), [line("0001", "x")]],
  ["sessions", (text) => parseSessions(toReply(session(text))), ["1", " "]],
  ["refused routes", (text) => parseFilteredRoutes(toReply(route + text), "64511"), ["1 ", " 1", "["]],
  ["heading of a route", (text) => parseFilteredRoutes(toReply(`1::/8 a [${text}`), "64511"), ["[", "[AS1"]],
  ["reasons", (text) => annotateReasons(text, "64511"), ["(64511, 4242, 1", "(", line("(64511,4242,", "1")]],
  ["number of routes", (text) => parseRouteCounts(toReply(text)), ["for 1", line("for ", "1")]],
  ["ports of the kernel", parsePorts, ["\n", " ", " \n", "1: A:", line("1: ", "A")]],
  ["wg dump", parseDump, ["a", " "]],
  ["ip addresses", withoutErrors(parseLinks), [line('["', "a"), " "]],
  ["nft listing", parseListing, ["\tset a {", line("\tset a {", "\t\telements = {"), "{"]],
  ["ROAs", withoutErrors((text) => parseRoas(text, 32)), [line("", "#", lineSeparator), " "]],
  ["one ROA", withoutErrors((text) => parseRoas(`route ${text}`, 32)), [" ", "a", "a ", "1/"]],
  ["provider profile", withoutErrors((text) => parseProfile(text, "x")), tomlShapes],
  ["agent's configuration", withoutErrors((text) => parseAgentConfig(text, "x")), tomlShapes],
  [
    "lines of a configuration",
    (text) => createLineFinder(text)(["a"]),
    [line("[", " "), line("a", " ."), line("", " ", "[")],
  ],
  ["git URL", isGitUrl, textShapes],
  ["mail server's URL", isSmtpUrl, ["smtp://", ...textShapes]],
  ["URL", isHttpUrl, [line("https://", "a"), line("https://a/", "."), ...textShapes]],
  ["origin", parseOrigin, textShapes],
  ["push host", parsePushHost, textShapes],
  ["sender", isSender, [line("a <", "<"), " <", ...textShapes]],
  ["mail address", isMailAddress, textShapes],
  ["hostname", canonicalizeHost, textShapes],
  ["address", parseAddress, ["::", "0:", "%", ...textShapes]],
  ["prefix", parsePrefix, ["1/", ...textShapes]],
  ["WireGuard key", parseKey, ["A", "A="]],
  ["base64", isBase64, ["AAAA", line("", "AAAA", "-"), "A="]],
  ["AS number", (text) => [isAsn(text), parseAsn(text)], [line("AS", "1"), " ", line(" AS1", " ", "x")]],
  ["fingerprint", parseFingerprint, ["A", ":", " "]],
  [
    "pasted text",
    (text) => [takeApart(text, pasteContext), readPlainValue("remote_ip", text)],
    ["[Peer]\nPublicKey=a\n", " "],
  ],
  ["secret", (text) => findWithheld(text, true), ["A1a+", "psk ", ": ", line("sha", "1"), "BEGIN "]],
  ["browser", describeBrowser, ["Version/", "X11 ", "a"]],
  ["request body", (text) => readBody(calls.login, text), [line('{"username":"', "a", '"}'), "\\u0000"]],
  ["response of an agent", readResponse, [line('{"a":"', "a", '"}')]],
  ["AS path in the app", shortenAsPath, ["{", "1", line("1 ", "2")]],
  [
    "AS path to sort",
    (text) => sortRefused([path(text), path(text)], { column: "path", isDescending: false }),
    ["{"],
  ],
  ["listing in the app", parseRouteListing, [line("1::/8", " "), line("  [", " "), line("Table ", "a")]],
])("%s: four times the text takes at most eight times the CPU", async (_, parse, shapes) => {
  const slow: unknown[] = [];
  for (const shape of shapes) {
    const ratio = await compareSizes(parse, shape);
    if (ratio > 8) slow.push({ shape, ratio });
  }
  expect(slow).toEqual([]);
});

test.each<readonly [string, Parser, number, readonly Shape[]]>([
  ["a pasted configuration", (text) => takeApart(text, pasteContext), maxPastedLength, pastedShapes],
  [
    "a pasted signature or public key",
    (text) => [readPastedSignature(text), readPastedPublicKey(text)],
    maxSignatureLength,
    signatureShapes,
  ],
  [
    "auth lines",
    readAuthLine,
    maxObjectBytes,
    [
      " ",
      line("ssh-rsa ", "AAAA"),
      line("ssh-rsa AAAAB3NzaC1yc2EA", "AAAA"),
      line("pgp-fingerprint ", "0 "),
      line("pgp-fingerprint ", "0"),
      line("pgp-fingerprint ", "0x"),
      line("PGPKEY-", "A"),
      "\u{202e}a",
      "#\n",
    ],
  ],
  [
    "key-cert objects",
    (text) => readKeyCert(new Map([["certif", [armourLines[0], text, armourLines[1]]]])),
    maxObjectBytes,
    ["xgAA", "xgAA\n", "a: b\n", "=aaaa\n", "+\n", "zQCA", line("xgEA", "zQCA")],
  ],
])(
  "%s up to the limit: four times the text takes at most eight times the CPU",
  async (_, parse, limit, shapes) => {
    const slow: unknown[] = [];
    for (const shape of shapes) {
      const ratio = await compareSizes(parse, shape, [limit / 4, limit - 100]);
      if (ratio > 8) slow.push({ shape, ratio });
    }
    expect(slow).toEqual([]);
  },
);
