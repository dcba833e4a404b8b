import * as v from "valibot";
import type { JoinRequest } from "#contract/agent/node-join.ts";
import { HttpError } from "#contract/http-error.ts";
import { findDomain } from "#domain/host-name.ts";
import { contains, parseAddress, prefix, unmapIpv4 } from "#domain/prefix.ts";
import { describeIssues } from "#system/config/config-problems.ts";
import { list } from "#system/config/config-values.ts";
import { nodeValues } from "#server/config/node-values.ts";
import type { Profile } from "#server/config/profile.ts";
import type { NodeJoin } from "#server/nodes/node-joins.ts";
import type { ProviderNode } from "#server/nodes/provider-node.ts";

const agentValues = v.object({
  url: nodeValues.agentUrl,
  publicIp: nodeValues.endpoint,
  endpoints: list("a list of the node's other public addresses and hostnames", nodeValues.endpoint),
  tunnelIpv4: v.nullable(nodeValues.tunnelIpv4),
});

/** Unspecified, loopback and link-local addresses. */
const ownMachine = ["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/127", "fe80::/10"].map(prefix);

interface Joined {
  readonly join: NodeJoin;
  readonly profile: Pick<Profile, "allowDocumentation">;
  /** Of the agent's certificate. */
  readonly fingerprint: string;
}

/** A node before it has a link-local address, which the transaction that adds it chooses. */
export type AgentValues = Omit<ProviderNode, "linkLocal">;

/** Returns the node that an agent describes. Throws `HttpError` 422 with the field if a value is wrong. */
export function readAgentValues(
  sent: NonNullable<JoinRequest["agent"]>,
  { join, profile, fingerprint }: Joined,
): AgentValues {
  const parsed = v.safeParse(agentValues, sent);
  if (!parsed.success) {
    const [problem] = describeIssues(agentValues, parsed.issues, []);
    throw invalid(String(problem?.path[0]), problem?.message ?? "");
  }
  const { url, publicIp, endpoints, tunnelIpv4: tunnel } = parsed.output;
  if (!profile.allowDocumentation && isOwnMachine(url))
    throw invalid("url", `url must be an address of the agent that the server reaches, found ${url}.`);
  return {
    name: join.node,
    place: join.place,
    lat: join.lat,
    lon: join.lon,
    publicIp,
    endpoints: [...new Set([publicIp, ...endpoints])],
    tunnelIpv4: tunnel,
    maxPeerings: null,
    agent: { url, fingerprint },
    state: "closed",
  };
}

/** Whether a URL names the machine of its reader, or one beside it. */
function isOwnMachine(url: string): boolean {
  const host = new URL(url).hostname.replaceAll(/[[\]]/g, "");
  const address = parseAddress(host);
  if (address === null) return findDomain(host, ["localhost"]) !== null;
  return ownMachine.some((range) => contains(range, unmapIpv4(address)));
}

function invalid(field: string, message: string): HttpError {
  return new HttpError(422, { message: `${message} Nothing was changed.`, field });
}
