/**
 * A router's driver in its own process, alone or with an agent as on a node but without its HTTP listener. It can run in a
 * host's namespaces, and can be paused and killed at any step of an apply.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { inspect } from "node:util";
import { createAgent } from "../../src/agent/agent.ts";
import { createBirdControl } from "../../src/agent/drivers/bird/control-socket.ts";
import { createUnloadedChanges } from "../../src/agent/drivers/bird/unloaded-changes.ts";
import {
  commandsWithInput,
  createLinuxRouter,
  type LinuxRouter,
  type LinuxRouterOptions,
} from "../../src/agent/drivers/linux/linux-router.ts";
import type { RoutedPeering } from "../../src/agent/drivers/router.ts";
import { createEventFile } from "../../src/agent/events/event-file.ts";
import { rules } from "../../src/agent/fixtures/peerings.ts";
import { createSetRecord } from "../../src/agent/fixtures/set-record.ts";
import type { Finding } from "../../src/domain/findings/findings.ts";
import { runProcess } from "../../src/system/processes.ts";
import { keepProcessesWaiting } from "../../src/system/waiting-processes.ts";
import { createOtherNodesFile } from "../../src/agent/reconcile/other-nodes.ts";
import { createStateFile } from "../../src/agent/reconcile/state-file.ts";
import { onlyRoutable } from "../../src/agent/resolve/routable-addresses.ts";
import { createRepairPause } from "../../src/agent/reconcile/repair-pause.ts";
import { createScaledClock } from "./scaled-clock.ts";
import { createStepBreakpoint } from "./step-breakpoint.ts";
import { agentProtocol, protocolHeader } from "../../src/contract/agent/agent-protocol.ts";

export interface NodeProcessOptions extends Omit<
  LinuxRouterOptions,
  "unloadedChanges" | "run" | "clock" | "log"
> {
  readonly hasAgent: boolean;
  /** Whether the agent may load what the operator has changed. */
  readonly mayLoadEdits?: boolean;
  /** The addresses of hostnames. */
  readonly names?: Readonly<Record<string, readonly string[]>> | undefined;
  /** How many times as fast its clock runs; 20 by default. */
  readonly clockFactor?: number | undefined;
}

export type NodeCall =
  | {
      readonly call: "set";
      readonly desired: readonly RoutedPeering[];
      readonly requested: readonly string[];
    }
  | { readonly call: "ask"; readonly name: keyof LinuxRouter; readonly args: readonly string[] }
  | {
      readonly call: "trace";
      readonly path: string;
      readonly body: object;
      readonly pauseAt: number | null;
    }
  | { readonly call: "resume" }
  | { readonly call: "request"; readonly path: string; readonly body?: object };

const options = JSON.parse(process.argv[2] ?? "") as NodeProcessOptions;
const write = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
/** One log file for all processes of this host. */
const writeLog = (detail: unknown, message: unknown) => {
  appendFileSync(
    `${options.stateDir}.log`,
    `${String(message)} ${inspect(detail, { breakLength: Infinity })}\n`,
  );
};
const log = { info: writeLog, warn: writeLog, error: writeLog } as unknown as LinuxRouterOptions["log"];

const breakpoint = createStepBreakpoint((paused) => write({ paused }));
breakpoint.instrumentModules();
const clock = breakpoint.wrapClock(createScaledClock(options.clockFactor));
const processes = keepProcessesWaiting(runProcess, commandsWithInput);
const router = await createLinuxRouter({
  ...options,
  unloadedChanges: createUnloadedChanges({
    bird: createBirdControl(options.birdSocket),
    ownFolders: [options.birdDir],
    mayLoad: options.mayLoadEdits ?? false,
    log,
  }),
  run: breakpoint.wrapRun(processes.run),
  clock,
  log,
});
const agent = options.hasAgent
  ? await createAgent({
      node: options.node,
      router,
      resolver: onlyRoutable(async (name) => options.names?.[name] ?? []),
      store: createStateFile(options.stateDir, options.node),
      eventStore: createEventFile(options.stateDir, options.node),
      otherNodesStore: createOtherNodesFile(options.stateDir, options.node),
      serverAddresses: options.firewall.servers,
      repairPause: createRepairPause(options.stateDir, clock, log),
      rules: { ...rules, providerAsn: options.providerAsn },
      clock,
      log,
    })
  : null;

async function requestAgent(path: string, body?: object): Promise<unknown> {
  const response = await agent?.handle(
    new Request(`http://agent${path}`, {
      headers: { [protocolHeader]: String(agentProtocol) },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    }),
  );
  const value: unknown = await response?.json();
  if (!response?.ok) throw new Error(`${response?.status} ${JSON.stringify(value)}`);
  return value;
}

async function handleCall(request: NodeCall): Promise<unknown> {
  switch (request.call) {
    case "set": {
      const report = createSetRecord(request.requested);
      await router.set(request.desired, report);
      return report.steps;
    }
    case "ask": {
      const ask = router[request.name] as (...args: readonly unknown[]) => Promise<unknown>;
      // The signal is the last argument of a ping. No other call reads one.
      return ask(...request.args, new AbortController().signal);
    }
    case "trace":
      return breakpoint.trace(request.pauseAt, () => requestAgent(request.path, request.body));
    case "request":
      return requestAgent(request.path, request.body);
    case "resume":
      return breakpoint.resume();
  }
}

write({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...request } = JSON.parse(line) as NodeCall & { readonly id: number };
  // Not awaited: `resume` arrives while an apply is paused.
  void handleCall(request).then(
    (value) => write({ id, value: value ?? null }),
    ({ name, message, cause, finding }: Error & { readonly finding?: Finding }) =>
      write({ id, error: { name, message, cause: String(cause), finding } }),
  );
}
// Not "await using": the bundler does not dispose of a module's values.
await (agent ?? router)[Symbol.asyncDispose]();
processes[Symbol.dispose]();
