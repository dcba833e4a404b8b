/** The queries of the troubleshooting tab. */
import type { CallName } from "#contract/calls.ts";

export const troubleshootingTab = "/manager?node=syd01&tab=troubleshooting";

/** The name of the button that sends the query, and the title of the modal with its result. */
const query = (button: string, title: string, call: CallName) => ({ button, title, call });
export type RouterQuery = ReturnType<typeof query>;

export const check = query("Check BGP config", "BGP Config Check", "troubleshootBGP");
export const received = query("Routes received from you", "Show received routes", "getPeerReceivedRoutes");
export const advertised = query(
  "Routes advertised to you",
  "Show advertised routes",
  "getPeerAdvertisedRoutes",
);
export const restart = query("Restart BGP", "Restart BGP Peer", "restartBGPPeer");
export const ping4 = query("IPv4 Ping Check", "Ping Check", "pingCheck");
export const ping6 = query("IPv6 Ping Check", "Ping Check", "pingCheck");
export const queries = [check, received, advertised, restart, ping4, ping6] as const;
