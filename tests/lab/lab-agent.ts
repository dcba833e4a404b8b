/** An agent on a host of the lab, which can be paused at a step of an apply. */
import { setTimeout as pause } from "node:timers/promises";
import type { ApplyOutcome, NodeHealth, Peering } from "../../src/contract/agent.ts";
import type { AgentEvent } from "../../src/contract/call-tables/agent-event-calls.ts";
import type { CodedFacts } from "../../src/contract/agent/findings.ts";
import { database } from "../../src/agent/fixtures/peerings.ts";
import type { LinuxRouter, LinuxRouterOptions } from "../../src/agent/drivers/linux/linux-router.ts";
import type { FirewallPolicy } from "../../src/agent/drivers/firewall/render.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import type { NodeCall, NodeProcessOptions } from "./node-process.ts";
import { routerOptions } from "./lab-node.ts";
import { startNodeProcess } from "./host-process.ts";

export interface ApplyResult {
  /** Null if the agent returned an error or was killed before it responded. */
  readonly outcome: ApplyOutcome["outcome"] | null;
  /** Why the change was refused, or why there was no response; empty otherwise. */
  readonly reason: string;
  /** The commands of the apply. */
  readonly steps: readonly string[];
}

export interface AgentGeneration {
  readonly asn: string;
  readonly generation: number;
  readonly present: boolean;
}

export interface Breakpoint {
  readonly number: number;
  /** The step's name in an earlier run. Null if another step may have its number. */
  readonly name: string | null;
  /** Receives the steps so far. The agent waits before the last one. */
  readonly atStep: (steps: readonly string[]) => Promise<void>;
}

/** The response of a call, null without one, and the call's steps. */
export interface Traced<T> {
  readonly value: T | null;
  readonly error: string | null;
  readonly steps: readonly string[];
}

export interface LabAgent extends AsyncDisposable {
  /**
   * Calls the agent's API and records the steps.
   *
   * @param breakpoint a step of an earlier run of the call, with its number; `atStep` is called before it
   */
  readonly trace: <T>(path: string, body: object, breakpoint?: Breakpoint) => Promise<Traced<T>>;
  /** @param breakpoint as of `trace` */
  readonly apply: (asn: string, desired: Peering | null, breakpoint?: Breakpoint) => Promise<ApplyResult>;
  readonly generations: () => Promise<readonly AgentGeneration[]>;
  /** The steps, as the server reads them, of the change that takes an AS to this generation. */
  readonly progress: (asn: string, generation: number) => Promise<readonly CodedFacts[]>;
  /** Calls the agent's API with a body. */
  readonly post: <T>(path: string, body: object) => Promise<T>;
  /** Calls the agent's API without a body. */
  readonly get: <T>(path: string) => Promise<T>;
  readonly health: () => Promise<NodeHealth>;
  readonly facts: () => Promise<{ readonly publicKey: string }>;
  /** Asks the driver below the agent. */
  readonly ask: <T>(name: keyof LinuxRouter) => Promise<T>;
  /** What the agent and its predecessors on the host did by themselves, the first hundred. */
  readonly events: () => Promise<readonly AgentEvent[]>;
  readonly kill: () => Promise<void>;
}

export interface LabAgentOptions {
  /** The provider's own tunnels, by the node at their other end. */
  readonly tunnels?: LinuxRouterOptions["tunnels"];
  /** How many times as fast the agent's clock runs. */
  readonly clockFactor?: number | undefined;
  /** The addresses of hostnames. */
  readonly names?: NodeProcessOptions["names"];
  /** The order of a change, if it is not the usual one. */
  readonly order?: LinuxRouterOptions["order"];
}

/** Starts an agent and kills it while it starts. */
export async function killStartingAgent(
  host: LabHost,
  afterMs: number,
  options: LabAgentOptions = {},
): Promise<void> {
  const agent = startNodeProcess(host, { ...routerOptions(host), ...options });
  await pause(afterMs);
  await agent.kill();
}

/** Resolves when the agent has started, including its first set. */
export async function startAgent(
  host: LabHost,
  firewall: Partial<FirewallPolicy> = {},
  { tunnels = {}, ...options }: LabAgentOptions = {},
): Promise<LabAgent> {
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
  let whenPaused: ((steps: readonly string[]) => Promise<void>) | null = null;
  const agent = startNodeProcess(
    host,
    { ...routerOptions(host, tunnels, firewall), ...options },
    (notice) => {
      const { paused } = notice as { readonly paused?: readonly string[] };
      if (paused === undefined) isReady();
      else void whenPaused?.(paused);
    },
  );
  await ready;
  const call = (request: NodeCall) => agent.call(request);
  const get = <T>(path: string) => call({ call: "request", path }) as Promise<T>;
  const post = <T>(path: string, body: object) => call({ call: "request", path, body }) as Promise<T>;
  const generations = () => get<readonly AgentGeneration[]>("/v1/generations");

  async function trace<T>(path: string, body: object, breakpoint?: Breakpoint): Promise<Traced<T>> {
    const reached = Promise.withResolvers<void>();
    let wasReached = false;
    whenPaused = async (steps) => {
      wasReached = true;
      try {
        if (!breakpoint || (breakpoint.name ?? steps.at(-1)) !== steps.at(-1))
          throw new Error(`the last step is not ${breakpoint?.name}: ${steps.join(", ")}`);
        await breakpoint.atStep(steps);
        reached.resolve();
        call({ call: "resume" }).catch(() => {});
      } catch (error) {
        reached.reject(error);
      }
    };
    const pending = call({ call: "trace", path, body, pauseAt: breakpoint?.number ?? null }) as Promise<{
      readonly value: T;
      readonly steps: readonly string[];
    }>;
    const traced = pending.then(
      (response): Traced<T> => ({ ...response, error: null }),
      (error: Error): Traced<T> => ({ value: null, error: error.message, steps: [] }),
    );
    if (breakpoint) {
      const rejectIfMissed = async () => {
        const { steps } = await traced;
        if (!wasReached)
          reached.reject(new Error(`there was no step ${breakpoint.number} in ${steps.join(", ")}`));
      };
      void rejectIfMissed();
      await reached.promise;
    }
    return traced;
  }

  return {
    trace,
    apply: async (asn, desired, breakpoint) => {
      const known = (await generations()).find((one) => one.asn === asn);
      const request = {
        asn,
        generation: (known?.generation ?? 0) + 1,
        desired,
        database,
        knownGenerations: known ? [known.generation] : [],
      };
      const { value, error, steps } = await trace<ApplyOutcome>("/v1/apply", request, breakpoint);
      if (value === null) return { outcome: null, reason: error ?? "", steps };
      const { outcome, reason } = value;
      return { outcome, reason: reason === null ? "" : JSON.stringify(reason), steps };
    },
    generations,
    progress: async (asn, generation) => {
      const { steps } = await post<{ readonly steps: readonly CodedFacts[] }>("/v1/progress", {
        asn,
        generation,
      });
      return steps;
    },
    post,
    get,
    health: () => get("/v1/health"),
    facts: () => get("/v1/facts"),
    ask: <T>(name: keyof LinuxRouter) => call({ call: "ask", name, args: [] }) as Promise<T>,
    events: async () => {
      const all: AgentEvent[] = [];
      for (;;) {
        const after = all.at(-1)?.id ?? null;
        const { events } = await post<{ readonly events: readonly AgentEvent[] }>("/v1/events", { after });
        if (events.length === 0) return all;
        all.push(...events);
      }
    },
    kill: agent.kill,
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}
