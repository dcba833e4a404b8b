/** What the server asks an agent about one peering, and the restart of its sessions. */
import * as v from "valibot";
import { type Call, defineCalls } from "../call.ts";
import { bgpCheck, pingResult, routerOutput } from "../diagnostics.ts";
import { asn } from "../entities.ts";
import { codedFacts } from "../agent/findings.ts";
import { refusedRouteFacts } from "./refused-route-facts.ts";

const asnBody = v.object({ asn });
/** The error names the field `asn`. */
const noPeering = { 404: "The node runs no peering with this AS" };

const { received_routes, filtered_routes, rejected_routes } = bgpCheck.entries;

/** The settings of a peering compared with what its neighbour announces. */
export const bgpComparison = v.object({
  /** What is wrong with the address families; null if nothing is. */
  addressFamilies: v.nullable(codedFacts),
  /** What is wrong with extended next hop; null if nothing is. */
  extendedNextHop: v.nullable(codedFacts),
  received_routes,
  filtered_routes,
  rejected_routes,
});
export type BgpComparison = v.InferOutput<typeof bgpComparison>;

export const agentPeeringCalls = defineCalls({
  details: {
    method: "POST",
    path: "/v1/details",
    access: "public",
    summary: "What WireGuard and BIRD print about a peering",
    body: asnBody,
    response: v.object({ wireguard: v.string(), bgp: v.string() }),
    errors: noPeering,
  },
  checkBgp: {
    method: "POST",
    path: "/v1/check-bgp",
    access: "public",
    summary: "Compare the configuration with what the neighbour announces",
    body: asnBody,
    response: bgpComparison,
    errors: noPeering,
  },
  restartBgp: {
    method: "POST",
    path: "/v1/restart-bgp",
    access: "public",
    summary: "Restart the peering's BGP sessions",
    body: asnBody,
    response: v.object({ ok: v.boolean(), output: v.string() }),
    errors: noPeering,
  },
  receivedRoutes: {
    method: "POST",
    path: "/v1/received-routes",
    access: "public",
    summary: "Routes received from the participant",
    body: asnBody,
    response: routerOutput,
    errors: noPeering,
  },
  refusedRoutes: {
    method: "POST",
    path: "/v1/refused-routes",
    access: "public",
    summary: "Routes of the participant that the filters refuse, and limits that were hit",
    body: asnBody,
    response: refusedRouteFacts,
    errors: noPeering,
  },
  advertisedRoutes: {
    method: "POST",
    path: "/v1/advertised-routes",
    access: "public",
    summary: "Routes advertised to the participant",
    body: asnBody,
    response: routerOutput,
    errors: noPeering,
  },
  ping: {
    method: "POST",
    path: "/v1/ping",
    access: "public",
    summary: "Ping the participant's tunnel address",
    body: v.object({ asn, family: v.picklist(["ipv4", "ipv6"]) }),
    response: pingResult,
    errors: noPeering,
  },
} satisfies Record<string, Call>);
