/**
 * An agent in a process of its own, as on a node but for its HTTP listener: it can live in a host's namespaces,
 * and be held and killed at any step of an apply.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { inspect } from "node:util";
import { createAgent } from "../../src/agent/agent.ts";
import { createLinuxRouter, type LinuxRouterOptions } from "../../src/agent/drivers/linux/linux-router.ts";
import { rules } from "../../src/agent/fixtures/peerings.ts";
import { runProcess } from "../../src/agent/processes.ts";
import type { Wanted } from "../../src/agent/reconcile/change.ts";
import { createStateFile } from "../../src/agent/reconcile/state-file.ts";
import { fastClock as clock } from "./fast-clock.ts";
import { createStepGate } from "./step-gate.ts";

export type AgentCall =
  | { readonly call: "apply"; readonly wanted: Wanted; readonly holdAt: number | null }
  | { readonly call: "go" }
  | { readonly call: "get"; readonly path: string };

export type AgentProcessOptions = Omit<LinuxRouterOptions, "run" | "clock" | "log">;

const options = JSON.parse(process.argv[2] ?? "") as AgentProcessOptions;
const write = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
/** Of all lives of the agent on this host. */
const note = (detail: unknown, message: unknown) => {
  appendFileSync(
    `${options.stateDir}.log`,
    `${String(message)} ${inspect(detail, { breakLength: Infinity })}\n`,
  );
};
const log = { info: note, warn: note, error: note } as unknown as LinuxRouterOptions["log"];

const gate = createStepGate((held) => write({ held }));
gate.watchModules();
await using agent = await createAgent({
  node: options.node,
  router: await createLinuxRouter({ ...options, run: gate.run(runProcess), clock, log }),
  resolver: async () => [],
  store: createStateFile(options.stateDir, options.node),
  rules: { ...rules, providerAsn: options.providerAsn },
  clock,
  log,
});

async function ask(path: string, body?: object): Promise<unknown> {
  const response = await agent.handle(
    new Request(
      `http://agent${path}`,
      body && { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } },
    ),
  );
  const value: unknown = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(value)}`);
  return value;
}

async function answer(request: AgentCall): Promise<unknown> {
  switch (request.call) {
    case "apply":
      return gate.watch(request.holdAt, () => ask("/v1/apply", request.wanted));
    case "get":
      return ask(request.path);
    case "go":
      return gate.go();
  }
}

write({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...request } = JSON.parse(line) as AgentCall & { readonly id: number };
  // Not awaited: `go` comes while an apply is held.
  void answer(request).then(
    (value) => write({ id, value: value ?? null }),
    ({ name, message }: Error) => write({ id, error: { name, message } }),
  );
}
