/** A peering on syd01 with its status and the configuration of both sides. */
import type { NodeConfig, PeerConfig, PeerStatus } from "#contract/entities.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { noConfigOptions } from "../../support/fixtures/no-options.ts";

/** The specification has texts of issues, and no findings. */
export type SpecifiedStatus = Omit<PeerStatus, "findings">;

export const status: SpecifiedStatus = {
  node: "syd01",
  bgp_status: "OK",
  wg_status: {
    state: "Up",
    issues: [],
    tx: "5.50 GiB",
    rx: "1.21 MiB",
    handshake: "",
    endpoint: "",
    loss: "",
  },
  known: true,
  latency: "12.4 ms",
  sessions: [
    {
      name: "s",
      families: ["IPv4", "IPv6"],
      state: "Established",
      detail: "",
      routes: null,
      since: null,
      ends: 0,
    },
  ],
  deployment: null,
};

export const peer: PeerConfig = {
  local_port: "20007",
  local_asn: "4242422227",
  remote: "router.example.org:51820",
  peer_ipv4: "172.20.201.1",
  peer_ipv6: "fe80::1:1",
  peer_publickey: "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=",
  peer_asn: "4242420001",
  bgp_ipv4: "Yes",
  bgp_ipv6: "No",
  bgp_mpbgp: "No",
  bgp_extnh: "No",
  address_family: "Both",
  local_ipv6: "",
  generation: 1,
  ...noConfigOptions,
};

export const provider: NodeConfig = {
  public_ip: "192.0.2.11",
  local_ipv4: "172.20.129.17",
  local_ipv6: "fe80::2227:1",
  public_key: "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=",
};

export const editTab = "/manager?node=syd01&tab=edit";
export const deletionTitle = "Confirm peer deletion";

/** Sets the responses that the edit tab shows. */
export function replyForEditTab(backend: Backend, config = peer, providerSide = provider): void {
  backend.reply("getPeerStatus", [status]);
  backend.reply("getPeerConfig", { syd01: config });
  backend.reply("getNodeConfig", providerSide);
}
