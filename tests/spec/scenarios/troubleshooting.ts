/** The queries of the troubleshooting tab. */
import type { CallName } from "#contract/calls.ts";

export const troubleshootingTab = "/manager?node=syd01&tab=troubleshooting";

export interface RouterQuery {
  /** The name of the button that sends it. */
  readonly button: string;
  /** The title of the modal with its result. */
  readonly title: string;
  readonly call: CallName;
}

export const check: RouterQuery = {
  button: "Check BGP config",
  title: "BGP Config Check",
  call: "troubleshootBGP",
};
export const received: RouterQuery = {
  button: "Routes received from you",
  title: "Show received routes",
  call: "getPeerReceivedRoutes",
};
export const advertised: RouterQuery = {
  button: "Routes advertised to you",
  title: "Show advertised routes",
  call: "getPeerAdvertisedRoutes",
};
export const restart: RouterQuery = {
  button: "Restart BGP",
  title: "Restart BGP Peer",
  call: "restartBGPPeer",
};
export const ping4: RouterQuery = { button: "IPv4 Ping Check", title: "Ping Check", call: "pingCheck" };
export const ping6: RouterQuery = { button: "IPv6 Ping Check", title: "Ping Check", call: "pingCheck" };
export const queries = [check, received, advertised, restart, ping4, ping6] as const;
