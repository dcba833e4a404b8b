/** An agent on a host of the lab, held at a step of an apply where a test wants that. */
import type { ApplyOutcome, Peering } from "../../src/contract/agent.ts";
import type { LabHost } from "../../src/lab/namespaces.ts";
import type { AgentCall } from "./agent-process.ts";
import { routerOptions } from "./lab-node.ts";
import { startProcess } from "./lab-process.ts";

export interface Applied {
  /** Null where the agent answered with an error, or was killed before it answered. */
  readonly outcome: ApplyOutcome["outcome"] | null;
  /** Why it was refused, or why there was no answer. */
  readonly reason: string;
  readonly steps: readonly string[];
}

export interface HeldGeneration {
  readonly asn: string;
  readonly generation: number;
  readonly present: boolean;
}

export interface HeldStep {
  readonly number: number;
  readonly name: string;
  readonly atStep: () => Promise<void>;
}

export interface LabAgent extends AsyncDisposable {
  /** @param held a step of the last time that the change was done, with its number; `atStep` is called before it */
  readonly apply: (asn: string, desired: Peering | null, held?: HeldStep) => Promise<Applied>;
  readonly generations: () => Promise<readonly HeldGeneration[]>;
  readonly health: () => Promise<{ readonly issues: readonly string[] }>;
  readonly facts: () => Promise<{ readonly publicKey: string }>;
  readonly kill: () => Promise<void>;
}

/** Resolves when the agent has started, its first set included. */
export async function startAgent(host: LabHost): Promise<LabAgent> {
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
  let whenHeld: ((step: string) => Promise<void>) | null = null;
  const agent = startProcess(host, "agent-process.ts", routerOptions(host), (notice) => {
    const { held } = notice as { readonly held?: string };
    if (held === undefined) isReady();
    else void whenHeld?.(held);
  });
  await ready;
  const call = (request: AgentCall) => agent.call(request);
  const get = <T>(path: string) => call({ call: "get", path }) as Promise<T>;
  const generations = () => get<readonly HeldGeneration[]>("/v1/generations");
  return {
    apply: async (asn, desired, held) => {
      const known = (await generations()).find((one) => one.asn === asn);
      const reached = Promise.withResolvers<void>();
      let begun = false;
      whenHeld = async (step) => {
        begun = true;
        try {
          if (step !== held?.name) throw new Error(`step ${held?.number} was ${step}, not ${held?.name}`);
          await held.atStep();
          reached.resolve();
          call({ call: "go" }).catch(() => {});
        } catch (error) {
          reached.reject(error);
        }
      };
      const wanted = { asn, generation: (known?.generation ?? 0) + 1, desired };
      const answering = call({ call: "apply", wanted, holdAt: held?.number ?? null }) as Promise<{
        readonly value: ApplyOutcome;
        readonly steps: readonly string[];
      }>;
      const applied = answering.then(
        ({ value, steps }) => ({ outcome: value.outcome, reason: value.reason, steps }),
        (error: Error) => ({ outcome: null, reason: error.message, steps: [] }),
      );
      if (held) {
        const missed = async () => {
          const { steps } = await applied;
          if (!begun) reached.reject(new Error(`there was no step ${held.number} in ${steps.join(", ")}`));
        };
        void missed();
        await reached.promise;
      }
      return applied;
    },
    generations,
    health: () => get("/v1/health"),
    facts: () => get("/v1/facts"),
    kill: agent.kill,
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}
