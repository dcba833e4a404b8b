import { expect, test } from "vitest";
import { codedFacts, readFacts } from "../../contract/agent/findings.ts";
import { describeStep, type Step } from "./steps.ts";

const host = "de01.example.net";

/** A step of each code. The type check reports a code without one. */
const samples: { readonly [Code in Step["code"]]: Extract<Step, { code: Code }>["facts"] } = {
  accepted: {},
  called: { host, isDeletion: false, attempt: 1 },
  "not-called": { host },
  "no-changes": {},
  superseded: { applied: 4, requested: 3 },
  "change-rolled-back": {},
  "bird-reloaded": {},
  "files-written": {},
  "tunnel-created": { port: 20_001, endpoint: "198.51.100.1:51820" },
  "tunnel-changed": { value: "listenPort", before: "20001", after: "20002" },
  "node-key-changed": { publicKey: `${"A".repeat(43)}=` },
  "preshared-key-changed": { change: "set" },
  "bird-loaded": {},
  "session-removed": { families: ["IPv4"], transport: "IPv4", hasExtendedNextHop: false },
  "session-created": { families: ["IPv4", "IPv6"], transport: "IPv6", hasExtendedNextHop: true },
  "sessions-postponed": {},
  confirmed: {},
  "leftovers-removed": { tunnels: 2 },
  "tunnel-removed": {},
};
const all = Object.entries(samples).map(([code, facts]) => ({ code, facts }) as Step);

test("every sentence", async () => {
  const lines = all.map((step) => `${step.code}: ${describeStep(step)}`);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/steps.txt");
});

test("a tunnel without an endpoint says who connects, and a later attempt and a deletion say so", () => {
  const created: Step = { code: "tunnel-created", facts: { port: 20_001, endpoint: null } };
  const called: Step = { code: "called", facts: { host, isDeletion: true, attempt: 3 } };
  expect([created, called].map(describeStep)).toEqual([
    "Set up the tunnel on UDP port 20001, to which your router connects.",
    "Called de01.example.net to delete the peering, attempt 3.",
  ]);
});

test("every step passes the contract", () => {
  for (const step of all) expect(readFacts(codedFacts, JSON.parse(JSON.stringify(step)))).toEqual(step);
});

test.each([
  { code: "of-a-later-agent", facts: {} },
  { code: "tunnel-created", facts: {} },
  { code: "toString", facts: {} },
])("$code without its facts has the code alone", (step) => {
  expect(describeStep(step)).toBe(`Did a step that the server does not know: ${step.code}.`);
});
