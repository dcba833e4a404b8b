import type { CodedFacts } from "#contract/agent/findings.ts";
import { HttpError } from "#contract/http-error.ts";
import { describeToParticipant, readAgentFinding } from "#domain/findings/findings.ts";
import type { Handlers } from "#server/api/handlers.ts";
import type { RateLimits } from "#server/api/rate-limits.ts";
import { findDesired } from "../desired-peerings.ts";
import { peeringKey } from "../peering-key.ts";
import { queryRouter, type RouterQueryContext } from "./query-router.ts";

type RouterCalls =
  | "getPeerDetails"
  | "troubleshootBGP"
  | "restartBGPPeer"
  | "getPeerReceivedRoutes"
  | "getPeerAdvertisedRoutes"
  | "pingCheck";

export interface RouterQueryHandlersContext extends RouterQueryContext {
  readonly rateLimits: Pick<RateLimits, "restartPerPeering">;
}

export function routerQueryHandlers(context: RouterQueryHandlersContext): Pick<Handlers, RouterCalls> {
  return {
    async getPeerDetails({ node }, request) {
      const { wireguard, bgp } = await queryRouter(context, request, node, "details", { asn: request.asn });
      return { [node]: { wg_details: { output: wireguard }, bgp_details: { output: bgp } } };
    },
    async troubleshootBGP({ node }, request) {
      const compared = await queryRouter(context, request, node, "checkBgp", { asn: request.asn });
      const { addressFamilies, extendedNextHop, ...counts } = compared;
      return {
        address_families: describeResult(addressFamilies),
        bgp_extnh: describeResult(extendedNextHop),
        ...counts,
      };
    },
    async restartBGPPeer({ node }, request) {
      const { asn, signal } = request;
      const limit = context.rateLimits.restartPerPeering;
      const peering = peeringKey({ asn, node });
      await limit.take(peering);
      try {
        const { ok, output } = await queryRouter(context, request, node, "restartBgp", { asn });
        if (ok) return { output };
        throw new HttpError(502, {
          message: "BIRD did not restart the sessions. They are as before.",
          output,
        });
      } catch (error) {
        // A restart that its client no longer waits for may have begun.
        if (!signal.aborted) await limit.giveBack(peering);
        throw error;
      }
    },
    getPeerReceivedRoutes: ({ node }, request) =>
      queryRouter(context, request, node, "receivedRoutes", { asn: request.asn }),
    getPeerAdvertisedRoutes: ({ node }, request) =>
      queryRouter(context, request, node, "advertisedRoutes", { asn: request.asn }),
    async pingCheck({ node, addr_family: family }, request) {
      const { asn } = request;
      const desired = await findDesired(context.db, asn, node);
      const address = family === "ipv4" ? desired?.peering.peerIpv4 : desired?.peering.peerIpv6;
      if (address !== null) return queryRouter(context, request, node, "ping", { asn, family });
      const name = family === "ipv4" ? "IPv4" : "IPv6";
      return { result: "failed", output: `The peering with AS${asn} has no ${name} tunnel address to ping.` };
    },
  };
}

/** 'OK', or what is wrong and how to fix it. */
function describeResult(sent: CodedFacts | null): string {
  return sent === null ? "OK" : describeToParticipant(readAgentFinding(sent));
}
