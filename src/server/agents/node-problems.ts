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
  /** The problem of each node that has one, in a sentence. If nodes do not respond soon, as of the last read. */
  readonly readSoon: () => Promise<ReadonlyMap<string, string>>;
}

const maxAgeMs = 15_000;

export function createNodeProblems(agents: Pick<AgentClient, "nodes" | "ask">): NodeProblems {
  let known: ReadonlyMap<string, string> = new Map();
  const problems = createSingleFlight(
    async () => {
      const read = await Promise.all(agents.nodes.map((node) => readProblem(agents, node)));
      known = new Map(read.flatMap((problem) => (problem ? [problem] : [])));
      return known;
    },
    { maxAgeMs, now: () => performance.now() },
  );
  return { readSoon: () => resolveSoon(problems.get(), () => known) };
}

/** Null for a node without such a problem, and for one that does not respond. */
async function readProblem(
  agents: Pick<AgentClient, "ask">,
  node: string,
): Promise<readonly [node: string, problem: string] | null> {
  const options = { timeoutMs: nodeReadTimeoutMs };
  const health = await agents.ask(node, "health", undefined, options).catch(() => null);
  const found = publicFindings(readFindings(health?.findings ?? []));
  const problem = found.find(({ code }) => code === "node-not-forwarding");
  return problem ? [node, explainFinding(problem)] : null;
}
