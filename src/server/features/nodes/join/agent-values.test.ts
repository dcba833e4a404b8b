import { expect, test } from "vitest";
import { readAgentValues } from "./agent-values.ts";

const join = {
  token: "AAAAAAAAAAAA",
  node: "de01",
  place: "Frankfurt",
  lat: null,
  lon: null,
  secret: "",
  created_at: 0,
  expires_at: 0,
  wrong_proofs: 0,
  used_at: null,
};

function readUrl(url: string, allowDocumentation = false) {
  const sent = { url, publicIp: "node.example.net", endpoints: [], tunnelIpv4: null };
  const profile = { allowDocumentation };
  return readAgentValues(sent, { join, profile, fingerprint: "" }).agent?.url;
}

test.each([
  ["https://192.0.2.11:4243", "https://192.0.2.11:4243"],
  ["https://10.0.0.2:4243/", "https://10.0.0.2:4243"],
  ["https://[2001:DB8::1]:443", "https://[2001:db8::1]"],
  ["https://Node.Example.net:4243", "https://node.example.net:4243"],
])("the server connects to %s as %s", (url, canonical) => {
  expect(readUrl(url)).toBe(canonical);
});

test.each([
  "https://127.0.0.1:4243",
  "https://127.1:4243",
  "https://0.0.0.0:4243",
  "https://[::1]:4243",
  "https://[::]:4243",
  "https://[::ffff:127.0.0.1]:4243",
  "https://169.254.169.254",
  "https://[fe80::1]:4243",
  "https://localhost:4243",
  "https://agent.localhost:4243",
])("the server does not connect to %s, unless it is a lab", (url) => {
  expect(() => readUrl(url)).toThrow(
    /^url must be an address of the agent that the server reaches, found https:/,
  );
  expect(readUrl(url, true)).toMatch(/^https:/);
});
