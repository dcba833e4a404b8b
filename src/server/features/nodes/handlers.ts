import type { NodeStatus, Provider, Connection } from "../../../contract/entities.ts";
import { nodeReadTimeoutMs } from "../../../contract/timeouts.ts";
import { createSingleFlight } from "../../../domain/single-flight.ts";
import { type AgentClient, NodeUnreachableError } from "../../agents/agent-client.ts";
import type { NodeReader } from "../../agents/node-reader.ts";
import type { Handlers } from "../../api/handlers.ts";
import { HttpError } from "../../../contract/http-error.ts";
import type { Profile } from "../../config/profile.ts";

export interface NodeDeps {
  readonly profile: Profile;
  readonly agents: AgentClient;
  readonly nodeReader: NodeReader;
  /** Whether the nodes are simulated and mail is stored instead of sent. */
  readonly demo: boolean;
}

const linksMaxAgeMs = 5_000;

export function nodeHandlers({
  profile,
  agents,
  nodeReader,
  demo,
}: NodeDeps): Pick<Handlers, "provider" | "getNodesList" | "mapVPNStatus" | "getNodeStatus"> {
  const provider = presentProvider(profile, demo);
  const links = createSingleFlight(() => readMapLinks(agents), {
    maxAgeMs: linksMaxAgeMs,
    now: () => performance.now(),
  });
  return {
    provider: async () => provider,
    getNodesList: async () => profile.nodes.map(({ name }) => ({ name })),
    mapVPNStatus: async () => links.get(),
    async getNodeStatus({ node }) {
      if (!profile.nodes.some(({ name }) => name === node)) {
        throw new HttpError(404, { message: "There is no such node.", field: "node" });
      }
      return { results: await readNodeStatus(nodeReader, node) };
    },
  };
}

async function readNodeStatus(nodeReader: NodeReader, node: string): Promise<NodeStatus> {
  try {
    const read = await nodeReader.read(node, "health", { timeoutMs: nodeReadTimeoutMs });
    const { status, uptimeSeconds, issues } = read;
    const load = read.load.map((average) => average.toFixed(2)).join(", ");
    return { status, uptime: formatUptime(uptimeSeconds), load, issues };
  } catch (error) {
    if (!(error instanceof NodeUnreachableError)) throw error;
    return { status: "Down", uptime: "", load: "", issues: [error.reason] };
  }
}

/** Seconds in the format of `uptime`: "12 days, 3:04". */
function formatUptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const days = Math.floor(minutes / 1440);
  const clock = `${Math.floor((minutes % 1440) / 60)}:${String(minutes % 60).padStart(2, "0")}`;
  return days === 0 ? clock : `${days} ${days === 1 ? "day" : "days"}, ${clock}`;
}

/** The public part of the profile. */
function presentProvider(profile: Profile, demo: boolean): Provider {
  return {
    name: profile.name,
    domain: profile.domain,
    asn: profile.asn,
    demo,
    nodes: profile.nodes.map(({ name, place, lat, lon }) => ({ name, place, lat, lon })),
    ...profile.facts,
  };
}

/**
 * The links between the provider's nodes, one entry per pair. Each end reports its own view. A link is up when
 * every end that responds reports it as up.
 */
async function readMapLinks(agents: AgentClient): Promise<Connection[]> {
  const reports = await Promise.all(
    agents.nodes.map((node) =>
      agents.ask(node, "links", undefined, { timeoutMs: nodeReadTimeoutMs }).catch(() => []),
    ),
  );
  const links = new Map<string, Connection>();
  for (const { from, to, status } of reports.flat()) {
    const [first, second] = from < to ? [from, to] : [to, from];
    const key = `${first} ${second}`;
    if (links.get(key)?.status !== "down") links.set(key, { from: first, to: second, status });
  }
  return [...links.values()];
}
