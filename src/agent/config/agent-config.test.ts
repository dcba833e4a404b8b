import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parseAddress, prefix } from "../../domain/prefix.ts";
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

test("a minimal file gets the default values", () => {
  expect(parseAgentConfig(minimal, "agent.toml")).toEqual({
    node: "syd01",
    asn: "4242422227",
    listen: { host: "127.0.0.1", port: 4243 },
    state_dir: "/var/lib/peerdeck-agent",
    server_addresses: [],
    server_fingerprints: [Array(32).fill("AB").join(":")],
    router: "simulated",
    linux: {
      bird_dir: "/etc/bird/peerdeck",
      bird_socket: "/run/bird/bird.ctl",
      load_bird_conf_changes: false,
      addresses: [],
      tunnels: {},
      firewall: { interfaces: [], allow_input: [], accept_replies: false },
      roa: { dir: "/etc/bird/roa", every_minutes: 15 },
    },
    links: [],
    resolver: "system",
    log_level: "info",
    rules: { allow_documentation: false, provider_endpoints: [], provider_prefixes: [] },
  });
});

test("parses rules into canonical values", () => {
  const { rules, listen } = parseAgentConfig(
    `${minimal.replace("127.0.0.1:4243", "[2001:DB8::1]:0")}
[rules]
allow_documentation = true
provider_endpoints = ["2001:DB8::1", "Syd01.Example.net"]
provider_prefixes = ["172.20.0.0/24"]
`,
    "agent.toml",
  );
  expect(listen).toEqual({ host: "2001:db8::1", port: 0 });
  expect(rules).toEqual({
    allow_documentation: true,
    provider_endpoints: ["2001:db8::1", "syd01.example.net"],
    provider_prefixes: [prefix("172.20.0.0/24")],
  });
});

test("parses the settings of a linux router", () => {
  const { router, linux, metrics_listen } = parseAgentConfig(
    `metrics_listen = "[::1]:9341"
${minimal.replace('router = "simulated"', 'router = "linux"')}
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
`,
    "agent.toml",
  );
  expect(metrics_listen).toEqual({ host: "::1", port: 9341 });
  expect({ router, linux }).toEqual({
    router: "linux",
    linux: {
      bird_dir: "/etc/bird/peerdeck",
      bird_socket: "/run/bird.ctl",
      load_bird_conf_changes: false,
      addresses: [parseAddress("172.20.16.1"), parseAddress("fd42:d42::1")],
      tunnels: {
        per01: { interface: "wg-per01", address: null },
        sin01: { interface: "wg-sin01", address: "fe80::1" },
      },
      firewall: { interfaces: [], allow_input: [], accept_replies: false },
      roa: {
        ipv4: "https://roa.example.net/roa4.conf",
        ipv6: "/var/lib/roa/roa6.conf",
        every_minutes: 30,
        dir: "/etc/bird/roa",
      },
    },
  });
});

test("parses the settings of the packet filter", () => {
  const { server_addresses, linux } = parseAgentConfig(
    `server_addresses = ["192.0.2.10", "2001:DB8::/64"]
${minimal}
[linux.firewall]
interfaces = ["eth1"]
allow_input = [{ protocol = "udp", port = 53, address = "FD42:d42::53" }, { protocol = "tcp", port = 53 }]
accept_replies = true
`,
    "agent.toml",
  );
  expect(server_addresses).toEqual(["192.0.2.10/32", "2001:db8::/64"]);
  expect(linux.firewall).toEqual({
    interfaces: ["eth1"],
    allow_input: [
      { protocol: "udp", port: 53, address: "fd42:d42::53" },
      { protocol: "tcp", port: 53 },
    ],
    accept_replies: true,
  });
});

test("accepts an empty list of fingerprints for the first start", () => {
  const config = parseAgentConfig(minimal.replace(`"${fingerprint}"`, ""), "agent.toml");
  expect(config.server_fingerprints).toEqual([]);
});

test.each([
  [
    minimal.replace('router = "simulated"', 'router = "cisco"'),
    'agent.toml:7: router must be "linux" or "simulated", found "cisco".',
  ],
  [
    minimal.replace('"4242422227"', "4242422227"),
    'agent.toml:3: asn must be an AS number in quotes without "AS", like "4242422227", found 4242422227.',
  ],
  [minimal.replace('node = "syd01"\n', ""), "agent.toml:1: node is missing; it must be the node's name."],
  [
    `${minimal}[linux.tunnels]\nper01 = { interface = "wg-per01" }\n`,
    'agent.toml:9: linux.tunnels.per01 must be an interface name or a table like { interface = "wg-per01", address = "fe80::1" }, found a table.',
  ],
  [
    `${minimal}[linux.tunnels]\nper01 = { interface = "wg-per01", address = "fe80::1/64" }\n`,
    'agent.toml:9: linux.tunnels.per01 must be an interface name or a table like { interface = "wg-per01", address = "fe80::1" }, found a table.',
  ],
  [
    minimal.replace("127.0.0.1:4243", "localhost"),
    'agent.toml:4: listen must be "address:port", like "192.0.2.1:4243" or "[2001:db8::1]:4243", found "localhost".',
  ],
  [
    minimal.replace(fingerprint, "ab:cd"),
    'agent.toml:6: server_fingerprints[1] must be a SHA-256 fingerprint, 64 hexadecimal digits, found "ab:cd".',
  ],
  [
    `${minimal}colour = "red"\n`,
    "agent.toml:8: colour is not a known key; known keys are node, asn, listen, metrics_listen, state_dir, server_fingerprints, server_addresses, router, linux, links, resolver, log_level, rules.",
  ],
  [
    `${minimal}\n[rules]\nallow_documentation = "yes"\n`,
    'agent.toml:10: rules.allow_documentation must be true or false, found "yes".',
  ],
  [
    `${minimal}\n[rules]\nprovider_prefixes = ["172.20.0.1/24"]\n`,
    'agent.toml:10: rules.provider_prefixes[1] must be a prefix like "172.20.0.0/24", host bits zero, found "172.20.0.1/24".',
  ],
  [
    `${minimal}metrics_listen = "9341"\n`,
    'agent.toml:8: metrics_listen must be "address:port", like "192.0.2.1:4243" or "[2001:db8::1]:4243", found "9341".',
  ],
  [
    `${minimal}\n[linux]\naddresses = ["172.20.16.1/32"]\n`,
    'agent.toml:10: linux.addresses[1] must be an address without a length, like "172.20.16.1", found "172.20.16.1/32".',
  ],
  [
    `${minimal}\n[linux.roa]\nipv4 = "http://roa.example.net/roa4.conf"\n`,
    'agent.toml:10: linux.roa.ipv4 must be an "https://…" URL (http:// only on this machine) or the absolute path of a file.',
  ],
  [
    `${minimal}\n[linux.roa]\nevery_minutes = 0\n`,
    "agent.toml:10: linux.roa.every_minutes must be minutes, 1 to 1440, found 0.",
  ],
  [
    `server_addresses = ["server.example.net"]\n${minimal}`,
    'agent.toml:1: server_addresses[1] must be an address or a prefix with host bits zero, like "192.0.2.10" or "2001:db8::/64", found "server.example.net".',
  ],
  [
    `${minimal}\n[linux.firewall]\ninterfaces = ["a; drop"]\n`,
    'agent.toml:10: linux.firewall.interfaces[1] must be an interface name of at most 15 characters, found "a; drop".',
  ],
  [
    `${minimal}\n[linux.firewall]\nallow_input = [{ protocol = "icmp", port = 1 }]\n`,
    'agent.toml:10: linux.firewall.allow_input[1].protocol must be "tcp" or "udp", found "icmp".',
  ],
  [
    `${minimal}\n[linux.firewall]\nallow_input = [{ protocol = "udp", port = 65536 }]\n`,
    "agent.toml:10: linux.firewall.allow_input[1].port must be a port, 1 to 65535, found 65536.",
  ],
  [
    `${minimal}node = \n`,
    "agent.toml:8:1: Invalid TOML document: trying to redefine an already defined table or value.",
  ],
])("an error names the line and the key: %#", (toml, message) => {
  expect(errorOf(toml)).toBe(message);
});

test("reports all errors at once", () => {
  const toml = minimal.replace('"syd01"', '""').replace("127.0.0.1:4243", "x");
  expect(errorOf(toml).split("\n")).toHaveLength(2);
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
