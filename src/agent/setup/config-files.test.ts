import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAddress } from "../../domain/prefix.ts";
import { parseAgentConfig } from "../config/agent-config.ts";
import { renderAgentConfig, renderBirdConfig, parseBirdValues } from "./config-files.ts";

const given = {
  node: "de01",
  asn: "4242422227",
  listen: "[2001:db8::5]:4243",
  ipv4: "172.20.17.9",
  ipv6: "fd42:aaaa::9",
  prefixes: ["172.20.17.0/27", "172.23.9.0/24", "fd42:aaaa::/48"],
  endpoints: ["de01.example.net"],
  servers: ["AB".repeat(32)],
  serverAddresses: ["192.0.2.10", "2001:db8::/64"],
  roa4: "https://roa.example.net/roa4.conf",
  roa6: undefined,
  allowDocumentation: false,
};
const stateDir = "/var/lib/peerdeck-agent";
const addresses = [given.ipv4, given.ipv6].flatMap((text) => parseAddress(text) ?? []);

test("the agent reads the setup arguments from the generated file", () => {
  const config = parseAgentConfig(renderAgentConfig(given, stateDir), "agent.toml");
  expect(config).toMatchObject({
    node: "de01",
    asn: "4242422227",
    listen: { host: "2001:db8::5", port: 4243 },
    state_dir: "/var/lib/peerdeck-agent",
    server_fingerprints: [Array(32).fill("AB").join(":")],
    server_addresses: ["192.0.2.10/32", "2001:db8::/64"],
    router: "linux",
    linux: {
      addresses,
      tunnels: {},
      roa: { ipv4: "https://roa.example.net/roa4.conf", every_minutes: 15, dir: "/etc/bird/roa" },
    },
    rules: { provider_endpoints: ["2001:db8::5", "de01.example.net"], allow_documentation: false },
  });
  expect(config.linux.roa.ipv6).toBeUndefined();
  expect(config.rules.provider_prefixes).toHaveLength(3);
});

test("documentation addresses are allowed where the server allows them", () => {
  const toml = renderAgentConfig({ ...given, allowDocumentation: true }, stateDir);
  expect(parseAgentConfig(toml, "agent.toml").rules.allow_documentation).toBe(true);
});

test("an argument cannot add lines to the file", () => {
  const toml = renderAgentConfig({ ...given, node: 'de01"\nrouter = "simulated' }, stateDir);
  expect(parseAgentConfig(toml, "agent.toml")).toMatchObject({
    node: 'de01"\nrouter = "simulated',
    router: "linux",
  });
});

test("replaces all values of the base of bird.conf", async () => {
  const base = await readFile(join(import.meta.dirname, "../../../docs/bird/bird.conf"), "utf8");
  const values = parseBirdValues(given.asn, addresses, given.prefixes);
  if (!values) throw new Error("no values");
  const config = renderBirdConfig(base, values);
  expect(config).not.toMatch(/172\.20\.16\.|fd42:d42:/);
  expect(config.split("\n").filter((line) => /^(router id|define|# Written)| {4}route /.test(line))).toEqual([
    "# Written by peerdeck-agent. You can edit this file.",
    "router id 172.20.17.9;",
    "define OWN_AS = 4242422227;",
    "define OWN_NETS_V4 = [ 172.20.17.0/27+, 172.23.9.0/24+ ];",
    "define OWN_NETS_V6 = [ fd42:aaaa::/48+ ];",
    "define OWN_IPV4 = 172.20.17.9;",
    "define OWN_IPV6 = fd42:aaaa::9;",
    "    route 172.20.17.0/27 reject;",
    "    route 172.23.9.0/24 reject;",
    "    route fd42:aaaa::/48 reject;",
  ]);
  expect(config).toContain('include "/etc/bird/peerdeck/current/*.conf";');
});

test("returns no values if an address family has no prefix or no address", () => {
  expect(parseBirdValues(given.asn, addresses, ["172.20.17.0/27"])).toBeNull();
  expect(parseBirdValues(given.asn, addresses.slice(1), given.prefixes)).toBeNull();
});
