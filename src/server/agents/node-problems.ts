/**
 * What everyone may know of the problems of nodes.
 *
 * Invariant: each node is asked at most once in `maxAgeMs`, however many visitors there are.
 */
import { nodeReadTimeoutMs } from "../../contract/timeouts.ts";
import { createSingleFlight } from "../../domain/concurrency/single-flight.ts";
import { explainFinding, publicFindings, readFindings } from "../../domain/findings/findings.ts";
import type { AgentClient } from "./agent-client.ts";
import { resolveSoon } from "./resolve-soon.ts";

export interface NodeProblems {
  /** The problem of each of these nodes that has one, in a sentence. If nodes do not respond soon, as of the last read. */
  readonly readSoon: (nodes: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

const maxAgeMs = 15_000;

export function createNodeProblems(agents: Pick<AgentClient, "ask">): NodeProblems {
  const known = new Map<string, string | null>();
  const problems = createSingleFlight(async (node) => void known.set(node, await readProblem(agents, node)), {
    maxAgeMs,
    now: () => performance.now(),
  });
  return {
    readSoon(nodes) {
      const readKnown = () =>
        new Map(
          nodes.flatMap((node) => {
            const problem = known.get(node) ?? null;
            return problem === null ? [] : [[node, problem]];
          }),
        );
      if (nodes.length === 0) return Promise.resolve(readKnown());
      const read = Promise.all(nodes.map((node) => problems.get(node))).then(readKnown);
      return resolveSoon(read, readKnown);
    },
  };
}

/** Null for a node without such a problem, and for one that does not respond. */
async function readProblem(agents: Pick<AgentClient, "ask">, node: string): Promise<string | null> {
  const options = { timeoutMs: nodeReadTimeoutMs };
  const health = await agents.ask(node, "health", undefined, options).catch(() => null);
  const found = publicFindings(readFindings(health?.findings ?? []));
  const problem = found.find(({ code }) => code === "node-not-forwarding");
  return problem ? explainFinding(problem) : null;
}
