/**
 * What is asked about the ways between the node and its tunnels, and what the answers mean.
 */
import { isLinkLocal } from "#domain/address-ranges.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { parseAddress } from "#domain/prefix.ts";
import type { Finding } from "#domain/findings/findings.ts";
import { toOutput } from "../../router-output.ts";
import type { RoutedPeering } from "../router.ts";
import type { RouteAnswer, RouteQuestion } from "../ask-routes.ts";
import { type ForwardingFault, ofNode } from "./forwarding-fault.ts";

/** One end of the ways through the node: a participant's tunnel or one of the provider's own. */
export interface TunnelEnd {
  readonly interfaceName: string;
  /** Null for the provider's own. */
  readonly asn: string | null;
  /**
   * Addresses at the other end that the network routes, by address family. None of the provider's own tunnels: another of them may
   * be the better way there.
   */
  readonly far: Readonly<Partial<Record<Bits, string>>>;
}

export type Bits = 32 | 128;
/** By address family, addresses that the machine has now. */
export type NodeAddresses = Readonly<Partial<Record<Bits, string>>>;

export interface RouteCheck {
  readonly question: RouteQuestion;
  readonly judge: (answer: RouteAnswer) => ForwardingFault | null;
}

const allBits = [32, 128] as const;

export function tunnelEndOf({ peering: { asn, peerIpv4, peerIpv6 } }: RoutedPeering): TunnelEnd {
  return { interfaceName: interfaceName(asn), asn, far: byFamily([peerIpv4, peerIpv6]) };
}

/** Returns the first address of each family that the network routes. */
export function byFamily(texts: readonly (string | null)[]): NodeAddresses {
  const found: Partial<Record<Bits, string>> = {};
  for (const text of texts) {
    const address = text === null || isLinkLocal(text) ? null : parseAddress(text);
    if (address && text !== null) found[address.bits] ??= text;
  }
  return found;
}

/** @param ends the tunnels of this check, which are asked in this order how packets of the one before reach them */
export function createRouteChecks(
  ends: readonly TunnelEnd[],
  node: NodeAddresses,
): (tunnel: TunnelEnd) => readonly RouteCheck[] {
  const routed = new Map(allBits.map((bits) => [bits, ends.filter(({ far }) => far[bits] !== undefined)]));
  const positions = new Map(
    allBits.map((bits) => [bits, new Map(routed.get(bits)?.map((end, index) => [end, index]))]),
  );
  const othersOf = (tunnel: TunnelEnd, bits: Bits): readonly TunnelEnd[] => {
    const all = routed.get(bits) ?? [];
    const start = (positions.get(bits)?.get(tunnel) ?? -1) + 1;
    const following = [0, 1].flatMap((step) => all[(start + step) % all.length] ?? []);
    return [...new Set(following)].filter((end) => end !== tunnel);
  };
  return (tunnel) =>
    allBits.flatMap((bits) =>
      checkRouteTo(tunnel, bits, node[bits]).concat(
        checkFrom(tunnel, bits, node[bits], othersOf(tunnel, bits)),
      ),
    );
}

/** From the node to the other end of the tunnel. */
function checkRouteTo(tunnel: TunnelEnd, bits: Bits, from: string | undefined): readonly RouteCheck[] {
  const to = tunnel.far[bits];
  if (to === undefined) return [];
  const question = { to, ...(from !== undefined && { from }) };
  return [{ question, judge: (answer) => judgeWay(answer, to, tunnel) }];
}

/** From the other end of the tunnel to the node, and through the node to the next tunnel. */
function checkFrom(
  tunnel: TunnelEnd,
  bits: Bits,
  nodeAddress: string | undefined,
  [next, afterNext]: readonly TunnelEnd[],
): readonly RouteCheck[] {
  const iif = tunnel.interfaceName;
  // A loose filter accepts a source that has any route.
  const from = tunnel.far[bits] ?? (bits === 128 ? strangerIpv6 : (afterNext ?? next)?.far[bits]);
  if (from === undefined) return [];
  const refusal = (answer: RouteAnswer, to: string) =>
    answer.kind === "refused"
      ? faultOf(
          { code: "forwarding-refused", facts: { from: iif, to, output: toOutput(answer.output) } },
          tunnel,
        )
      : null;
  const toNode: readonly RouteCheck[] =
    nodeAddress === undefined
      ? []
      : [
          {
            question: { to: nodeAddress, from, iif },
            judge: (answer) => refusal(answer, nodeAddress),
          },
        ];
  const to = next?.far[bits];
  if (next === undefined || to === undefined || to === from) return toNode;
  return [
    ...toNode,
    {
      question: { to, from, iif },
      judge: (answer) => refusal(answer, to) ?? judgeWay(answer, to, next),
    },
  ];
}

/** A source of IPv6, whose path the kernel does not check. */
const strangerIpv6 = "fd00:ffff:ffff::1";

/** Whether packets for an address take the tunnel that leads to it. */
function judgeWay(answer: RouteAnswer, address: string, through: TunnelEnd): ForwardingFault | null {
  if (answer.kind === "unknown" || (answer.kind === "forwarded" && answer.dev === through.interfaceName))
    return null;
  const found = answer.kind === "forwarded" ? answer.dev : answer.kind === "local" ? "lo" : null;
  return faultOf(
    { code: "route-missing", facts: { address, interface: through.interfaceName, found } },
    through,
  );
}

function faultOf(finding: Finding, { asn }: TunnelEnd): ForwardingFault {
  return asn === null ? ofNode(finding) : { finding, concerns: new Set([asn]) };
}

/** Removes the refusals that a missing route explains. Both are answers to the same questions. */
export function withoutConsequences<T extends { readonly fault: ForwardingFault }>(
  found: readonly T[],
): readonly T[] {
  const unreachable = new Set(
    found.flatMap(({ fault: { finding } }) =>
      finding.code === "route-missing" ? finding.facts.address : [],
    ),
  );
  return found.filter(
    ({ fault: { finding } }) => finding.code !== "forwarding-refused" || !unreachable.has(finding.facts.to),
  );
}
