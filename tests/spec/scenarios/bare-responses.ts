/** Responses with the fields of section 3 alone, as another server may write them. */
import type { CallName } from "#contract/calls.ts";
import type { Backend } from "../../support/scripted-backend.ts";

export const bareStatus = {
  node: "syd01",
  bgp_status: "OK",
  wg_status: { state: "Up", issues: [], tx: "5.50 GiB", rx: "1.21 MiB" },
  latency: "12.4 ms",
};

/** Numbers and booleans, as many servers write ports and flags. */
export const barePeerConfig = {
  local_port: 20_007,
  local_asn: 4_242_422_227,
  remote: "router.example.org:51820",
  peer_ipv4: "172.20.201.1",
  peer_ipv6: null,
  peer_publickey: "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=",
  peer_asn: 4_242_420_001,
  bgp_ipv4: true,
  bgp_ipv6: "on",
  bgp_mpbgp: null,
  bgp_extnh: false,
};

export const bareNodeConfig = {
  public_ip: "192.0.2.11",
  local_ipv4: null,
  public_key: "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=",
};

/** Sets the responses to all calls about the peering on syd01. */
export function replyBarely(backend: Backend): void {
  backend.reply("getPeerStatus", [bareStatus]);
  backend.reply("getPeeredNodes", ["syd01"]);
  backend.reply("getNodeStatus", { results: { status: "OK", uptime: "1 day", load: 0.12, issues: [] } });
  backend.reply("getPeerConfig", { syd01: barePeerConfig });
  backend.reply("getNodeConfig", bareNodeConfig);
}

/** Lets the server have no such call, and say so with a page, as most do. */
export function removeCalls(backend: Backend, ...names: readonly CallName[]): void {
  for (const name of names) backend.replyText(name, "<h1>Not Found</h1>", 404);
}
