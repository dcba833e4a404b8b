import type { NodeStatus, Provider, WayIn } from "#contract/entities.ts";
import { createSingleFlight } from "#domain/concurrency/single-flight.ts";
import { nodeHost } from "#contract/node-host.ts";
import { peeringOptions } from "#domain/peering/fields/field-lists.ts";
import { nodeReadTimeoutMs } from "#contract/timeouts.ts";
import {
  describeToParticipant,
  type Finding,
  publicFindings,
  readFindings,
} from "#domain/findings/findings.ts";
import { countOf } from "#domain/text/plural.ts";
import { type AgentClient, NodeUnreachableError } from "../../agents/agent-client.ts";
import type { LinkReader } from "../../agents/node-links.ts";
import type { NodeReader } from "../../agents/node-reader.ts";
import type { Handlers } from "../../api/handlers.ts";
import { HttpError } from "#contract/http-error.ts";
import { findDesired } from "../peerings/desired-peerings.ts";
import { listConflictsOnNode, summarizeConflicts } from "../peerings/conflicts/peering-conflicts.ts";
import type { AppContext } from "../../context.ts";
import type { Profile } from "../../config/profile.ts";
import type { ProviderNode } from "../../nodes/provider-node.ts";
import { readPublicNodes } from "./public-nodes.ts";

export type NodeContext = Pick<AppContext, "db" | "profile" | "nodes" | "agents" | "nodeReader"> & {
  readonly links: LinkReader;
  /** Whether the nodes are simulated and mail is stored instead of sent. */
  readonly demo: boolean;
  /** Lists the ways in that the server offers at a public URL. */
  readonly listWaysIn: (publicUrl: string) => Promise<WayIn[]>;
};

export function nodeHandlers({
  db,
  profile,
  nodes,
  agents,
  links,
  nodeReader,
  demo,
  listWaysIn,
}: NodeContext): Pick<Handlers, "provider" | "getNodesList" | "mapVPNStatus" | "getNodeStatus" | "nodes"> {
  const publicNodes = createSingleFlight(() => readPublicNodes({ db, profile, nodes }), {
    maxAgeMs: 5_000,
    now: () => performance.now(),
  });
  nodes.onChange(() => publicNodes.invalidate());
  return {
    nodes: () => publicNodes.get(),
    provider: async (_requestBody, { origin }) =>
      presentProvider({
        profile,
        nodes: nodes.list(),
        demo,
        publicUrl: origin.publicUrl,
        waysIn: await listWaysIn(origin.publicUrl),
      }),
    getNodesList: async () => nodes.list().map(({ name }) => ({ name })),
    async mapVPNStatus() {
      const read = await links.read();
      return read.map(({ from, to, status }) => ({ from, to, status }));
    },
    async getNodeStatus({ node }, { asn }) {
      const isKnown = nodes.find(node) !== null;
      if (!isKnown && !(await findDesired(db, asn, node))) {
        throw new HttpError(404, { message: "There is no such node.", field: "node" });
      }
      const [results, conflicts] = await Promise.all([
        readNode(nodeReader, agents, { node, domain: profile.domain }),
        isKnown ? listConflictsOnNode(db, node) : [],
      ]);
      return {
        results: presentNodeStatus(results, summarizeConflicts(conflicts, nodeHost(node, profile.domain))),
      };
    },
  };
}

type ReadNode = Omit<NodeStatus, "issues" | "findings"> & { readonly findings: readonly Finding[] };

async function readNode(
  nodeReader: NodeReader,
  agents: Pick<AgentClient, "readFailures">,
  { node, domain }: { readonly node: string; readonly domain: string },
): Promise<ReadNode> {
  try {
    const read = await nodeReader.read(node, "health", { timeoutMs: nodeReadTimeoutMs });
    const load = read.load.map((average) => average.toFixed(2)).join(", ");
    const findings = publicFindings(readFindings(read.findings));
    return { status: read.status, known: true, uptime: formatUptime(read.uptimeSeconds), load, findings };
  } catch (error) {
    if (!(error instanceof NodeUnreachableError)) throw error;
    const host = nodeHost(node, domain);
    const finding = (error.hasResponded ? undefined : agents.readFailures().get(node))?.(host);
    return { status: "Down", known: false, uptime: "", load: "", findings: [finding ?? error.finding(host)] };
  }
}

/** A node whose peerings contradict the database has issues, whether it can be reached or not. */
function presentNodeStatus(read: ReadNode, conflict: Finding | null): NodeStatus {
  const findings = conflict ? [...read.findings, conflict] : read.findings;
  const status = conflict && read.status === "OK" ? "Issues" : read.status;
  return { ...read, status, findings, issues: findings.map(describeToParticipant) };
}

/** Seconds in the format of `uptime`: "12 days, 3:04". */
function formatUptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const days = Math.floor(minutes / 1440);
  const clock = `${Math.floor((minutes % 1440) / 60)}:${String(minutes % 60).padStart(2, "0")}`;
  return days === 0 ? clock : `${countOf(days, "day")}, ${clock}`;
}

interface Presented {
  readonly profile: Profile;
  readonly nodes: readonly ProviderNode[];
  readonly demo: boolean;
  /** The one that the app uses. */
  readonly publicUrl: string;
  readonly waysIn: WayIn[];
}

/** The nodes and the public part of the profile, for the app at a public URL. */
function presentProvider({ profile, nodes, demo, publicUrl, waysIn }: Presented): Provider {
  return {
    name: profile.name,
    domain: profile.domain,
    asn: profile.asn,
    public_url: publicUrl,
    demo,
    nodes: nodes.map(({ name, place, lat, lon }) => ({ name, place, lat, lon })),
    ...profile.facts,
    options: [...peeringOptions],
    ways_in: waysIn,
  };
}
