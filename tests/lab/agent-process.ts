/**
 * An agent in its own process, as on a node but without its HTTP listener. It can run in a host's namespaces,
 * and can be paused and killed at any step of an apply.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { inspect } from "node:util";
import { createAgent } from "../../src/agent/agent.ts";
import { createLinuxRouter, type LinuxRouterOptions } from "../../src/agent/drivers/linux/linux-router.ts";
import { createEventFile } from "../../src/agent/events/event-file.ts";
import { rules } from "../../src/agent/fixtures/peerings.ts";
import { runProcess } from "../../src/system/processes.ts";
import type { DesiredPeering } from "../../src/agent/reconcile/change.ts";
import { createStateFile } from "../../src/agent/reconcile/state-file.ts";
import { openUnloadedChanges, type SentOptions } from "./router-options.ts";
import { scaledClock } from "./scaled-clock.ts";
import { createStepBreakpoint } from "./step-breakpoint.ts";
import { agentProtocol, protocolHeader } from "../../src/contract/agent/agent-protocol.ts";

export type AgentCall =
  | { readonly call: "apply"; readonly desired: DesiredPeering; readonly pauseAt: number | null }
  | { readonly call: "resume" }
  | { readonly call: "request"; readonly path: string; readonly body?: object };

export type AgentProcessOptions = SentOptions;

const options = JSON.parse(process.argv[2] ?? "") as AgentProcessOptions;
const write = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
/** One log file for all agent processes of this host. */
const writeLog = (detail: unknown, message: unknown) => {
  appendFileSync(
    `${options.stateDir}.log`,
    `${String(message)} ${inspect(detail, { breakLength: Infinity })}\n`,
  );
};
const log = { info: writeLog, warn: writeLog, error: writeLog } as unknown as LinuxRouterOptions["log"];

const breakpoint = createStepBreakpoint((paused) => write({ paused }));
breakpoint.instrumentModules();
const clock = breakpoint.wrapClock(scaledClock);
const agent = await createAgent({
  node: options.node,
  router: await createLinuxRouter({
    ...options,
    unloadedChanges: openUnloadedChanges(options, log),
    run: breakpoint.wrapRun(runProcess),
    clock,
    log,
  }),
  resolver: async () => [],
  store: createStateFile(options.stateDir, options.node),
  eventStore: createEventFile(options.stateDir, options.node),
  rules: { ...rules, providerAsn: options.providerAsn },
  clock,
  log,
});

async function requestAgent(path: string, body?: object): Promise<unknown> {
  const response = await agent.handle(
    new Request(`http://agent${path}`, {
      headers: { [protocolHeader]: String(agentProtocol) },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    }),
  );
  const value: unknown = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(value)}`);
  return value;
}

async function handleCall(request: AgentCall): Promise<unknown> {
  switch (request.call) {
    case "apply":
      return breakpoint.trace(request.pauseAt, () => requestAgent("/v1/apply", request.desired));
    case "request":
      return requestAgent(request.path, request.body);
    case "resume":
      return breakpoint.resume();
  }
}

write({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...request } = JSON.parse(line) as AgentCall & { readonly id: number };
  // Not awaited: `resume` arrives while an apply is paused.
  void handleCall(request).then(
    (value) => write({ id, value: value ?? null }),
    ({ name, message }: Error) => write({ id, error: { name, message } }),
  );
}
// Not "await using": the bundler does not dispose of a module's values.
await agent[Symbol.asyncDispose]();
