/** What the server asks an agent about one peering, and the restart of its sessions. */
import * as v from "valibot";
import { type Call, defineCalls } from "../call.ts";
import { pingResult } from "../diagnostics.ts";
import { asn } from "../entities.ts";
import { printedText, routeCount } from "../agent/bounds.ts";
import { codedFacts } from "../agent/findings.ts";
import { refusedRouteFacts } from "./refused-route-facts.ts";

const asnBody = v.object({ asn });

/** Null where the router does not say. */
const knownCounts = v.object({ ipv4: v.nullable(routeCount), ipv6: v.nullable(routeCount) });

/** About one peering: a few screens. */
const details = printedText(64 * 1024);
/** As much as an agent prints of routes. */
const listedRoutes = v.object({ output: printedText(1024 * 1024) });
const routesBytes = 3 * 1024 * 1024;

/** The settings of a peering compared with what its neighbour announces. */
export const bgpComparison = v.object({
  /** What is wrong with the address families; null if nothing is. */
  addressFamilies: v.nullable(codedFacts),
  /** What is wrong with extended next hop; null if nothing is. */
  extendedNextHop: v.nullable(codedFacts),
  received_routes: knownCounts,
  filtered_routes: knownCounts,
  rejected_routes: knownCounts,
});
export type BgpComparison = v.InferOutput<typeof bgpComparison>;

/** A node that runs no peering with the AS responds with 404 and an error that names the field `asn`. */
export const agentPeeringCalls = defineCalls({
  /** What WireGuard and BIRD print about a peering. */
  details: {
    method: "POST",
    path: "/v1/details",
    access: "public",
    body: asnBody,
    maxResponseBytes: routesBytes,
    response: v.object({ wireguard: details, bgp: details }),
  },
  /** Compare the configuration with what the neighbour announces. */
  checkBgp: {
    method: "POST",
    path: "/v1/check-bgp",
    access: "public",
    body: asnBody,
    response: bgpComparison,
  },
  /** Restart the peering's BGP sessions. */
  restartBgp: {
    method: "POST",
    path: "/v1/restart-bgp",
    access: "public",
    body: asnBody,
    response: v.object({ ok: v.boolean(), output: printedText(4 * 1024) }),
  },
  /** Routes received from the participant. */
  receivedRoutes: {
    method: "POST",
    path: "/v1/received-routes",
    access: "public",
    body: asnBody,
    maxResponseBytes: routesBytes,
    response: listedRoutes,
  },
  /** Routes of the participant that the filters refuse, and limits that were hit. */
  refusedRoutes: {
    method: "POST",
    path: "/v1/refused-routes",
    access: "public",
    body: asnBody,
    maxResponseBytes: routesBytes,
    response: refusedRouteFacts,
  },
  /** Routes advertised to the participant. */
  advertisedRoutes: {
    method: "POST",
    path: "/v1/advertised-routes",
    access: "public",
    body: asnBody,
    maxResponseBytes: routesBytes,
    response: listedRoutes,
  },
  /** Ping the participant's tunnel address. */
  ping: {
    method: "POST",
    path: "/v1/ping",
    access: "public",
    body: v.object({ asn, family: v.picklist(["ipv4", "ipv6"]) }),
    response: v.object({ result: pingResult.entries.result, output: printedText(8 * 1024) }),
  },
} satisfies Record<string, Call>);
