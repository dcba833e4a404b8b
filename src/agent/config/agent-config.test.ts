import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ConfigError } from "../../system/config/config-error.ts";
import { parseAgentConfig } from "./agent-config.ts";

const fingerprint = "ab".repeat(32);
const minimal = `
node = "syd01"
asn = "4242422227"
listen = "127.0.0.1:4243"
state_dir = "/var/lib/peerdeck-agent"
server_fingerprints = ["${fingerprint}"]
router = "simulated"
`;

function errorOf(toml: string): string {
  try {
    parseAgentConfig(toml, "agent.toml");
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  return "";
}

/** JSON has no big integers, which addresses consist of. */
const toJsonValue = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
const valuesOf = (toml: string) =>
  `${JSON.stringify(parseAgentConfig(toml, "agent.toml"), toJsonValue, 2)}\n`;

test("a minimal file gets the default values", async () => {
  await expect(valuesOf(minimal)).toMatchFileSnapshot("golden/minimal.txt");
});

const everything = `metrics_listen = "[::1]:9341"
server_addresses = ["192.0.2.10", "2001:DB8::/64"]
${minimal.replace("simulated", "linux").replace("127.0.0.1:4243", "[2001:DB8::1]:0")}
[linux]
bird_socket = "/run/bird.ctl"
addresses = ["172.20.16.1", "FD42:d42::1"]
[linux.tunnels]
per01 = "wg-per01"
sin01 = { interface = "wg-sin01", address = "FE80::1" }
[linux.roa]
ipv4 = "https://roa.example.net/roa4.conf"
ipv6 = "/var/lib/roa/roa6.conf"
every_minutes = 30
[linux.firewall]
interfaces = ["eth1"]
allow_input = [{ protocol = "udp", port = 53, address = "FD42:d42::53" }, { protocol = "tcp", port = 53 }]
accept_replies = true
[rules]
allow_documentation = true
provider_endpoints = ["2001:DB8::1", "Syd01.Example.net"]
provider_prefixes = ["172.20.0.0/24"]
`;

test("parses a complete file into canonical values", async () => {
  await expect(valuesOf(everything)).toMatchFileSnapshot("golden/complete.txt");
});

test("accepts an empty list of fingerprints for the first start", () => {
  const config = parseAgentConfig(minimal.replace(`"${fingerprint}"`, ""), "agent.toml");
  expect(config.server_fingerprints).toEqual([]);
});

const wrong = `
asn = 4242422227
listen = "localhost"
metrics_listen = "9341"
state_dir = "/var/lib/peerdeck-agent"
server_fingerprints = ["ab:cd"]
server_addresses = ["server.example.net"]
router = "cisco"
colour = "red"
[rules]
allow_documentation = "yes"
provider_prefixes = ["172.20.0.1/24"]
[linux]
addresses = ["172.20.16.1/32"]
[linux.tunnels]
per01 = { interface = "wg-per01" }
sin01 = { interface = "wg-sin01", address = "fe80::1/64" }
[linux.roa]
ipv4 = "http://roa.example.net/roa4.conf"
every_minutes = 0
[linux.firewall]
interfaces = ["a; drop"]
allow_input = [{ protocol = "icmp", port = 1 }, { protocol = "udp", port = 65536 }]
`;

test("reports all errors at once, with their lines and keys", async () => {
  await expect(`${errorOf(wrong)}\n`).toMatchFileSnapshot("golden/errors.txt");
});

test("an error of the syntax names the line", () => {
  expect(errorOf(`${minimal}node = \n`)).toMatch(/^agent\.toml:8:1: Invalid TOML document: /);
});

test("the example in docs/nodes.md is valid, with and without the lines that are comments", async () => {
  const guide = await readFile(new URL("../../../docs/nodes.md", import.meta.url), "utf8");
  const [, example = ""] = /^```toml\n([^]*?)^```$/m.exec(guide) ?? [];
  expect(parseAgentConfig(example, "agent.toml").node).toBe("syd01");
  const complete = example.replaceAll(/^# (?=[a-z_]+ = | {2}\{|\])/gm, "");
  expect(parseAgentConfig(complete, "agent.toml").linux.firewall).toMatchObject({
    interfaces: ["eth1"],
    allow_input: [{ port: 53 }, { port: 53 }],
    accept_replies: true,
  });
});
