/** What the server asks an agent about one peering, and the restart of its sessions. */
import * as v from "valibot";
import { type Call, defineCalls } from "../call.ts";
import { bgpCheck, pingResult, routerOutput } from "../diagnostics.ts";
import { asn } from "../entities.ts";
import { codedFacts } from "../agent/findings.ts";
import { refusedRouteFacts } from "./refused-route-facts.ts";

const asnBody = v.object({ asn });

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

/** A node that runs no peering with the AS responds with 404 and an error that names the field `asn`. */
export const agentPeeringCalls = defineCalls({
  /** What WireGuard and BIRD print about a peering. */
  details: {
    method: "POST",
    path: "/v1/details",
    access: "public",
    body: asnBody,
    response: v.object({ wireguard: v.string(), bgp: v.string() }),
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
    response: v.object({ ok: v.boolean(), output: v.string() }),
  },
  /** Routes received from the participant. */
  receivedRoutes: {
    method: "POST",
    path: "/v1/received-routes",
    access: "public",
    body: asnBody,
    response: routerOutput,
  },
  /** Routes of the participant that the filters refuse, and limits that were hit. */
  refusedRoutes: {
    method: "POST",
    path: "/v1/refused-routes",
    access: "public",
    body: asnBody,
    response: refusedRouteFacts,
  },
  /** Routes advertised to the participant. */
  advertisedRoutes: {
    method: "POST",
    path: "/v1/advertised-routes",
    access: "public",
    body: asnBody,
    response: routerOutput,
  },
  /** Ping the participant's tunnel address. */
  ping: {
    method: "POST",
    path: "/v1/ping",
    access: "public",
    body: v.object({ asn, family: v.picklist(["ipv4", "ipv6"]) }),
    response: pingResult,
  },
} satisfies Record<string, Call>);
