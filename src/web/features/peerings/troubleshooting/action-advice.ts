/** What is said beside the buttons of the troubleshooting tab. */
import type { PeerConfig, PeerStatus } from "#contract/lenient.ts";
import { isEstablished } from "#domain/peering/peering-path.ts";
import { countOf } from "#domain/text/plural.ts";
import type { Advice } from "./query-button.tsx";

const isTunnelDown = (status: PeerStatus | undefined) =>
  status?.known === true && status.wg_status.state === "Down";

const isSessionDown = (status: PeerStatus | undefined) =>
  status?.known === true &&
  status.sessions !== undefined &&
  status.sessions.length > 0 &&
  !status.sessions.some(isEstablished);

export function checkAdvice(status: PeerStatus | undefined): Advice | null {
  if (isTunnelDown(status)) return { text: "The tunnel is down, and BGP needs it. Fix the tunnel first." };
  return isSessionDown(status) ? { text: "Without a session there are no routes to count." } : null;
}

/** Beside the first of the two lists of routes. */
export function routesAdvice(status: PeerStatus | undefined): Advice | null {
  return isSessionDown(status) ? { text: "No session is Established, so both lists are empty." } : null;
}

/** A restart while the tunnel is down harms nothing, and the status may be a moment old: it stays possible. */
export function restartAdvice(status: PeerStatus | undefined, secondsLeft: number): Advice {
  if (secondsLeft > 0) {
    const wait = countOf(secondsLeft, "second");
    return { text: `You can restart BGP again in ${wait}.`, isUnavailable: true };
  }
  if (isTunnelDown(status))
    return { text: "The tunnel is down, so a restart does not help. Fix the tunnel first." };
  if (isSessionDown(status)) return { text: "Tries to connect again at once. The tunnel stays up." };
  return {
    text: "Drops your BGP sessions at once. They come back within seconds if your router is up. The tunnel stays up.",
  };
}

/**
 * Why a family cannot be pinged. A configuration without any tunnel address says nothing about them: another server may not
 * send them.
 */
export function pingAdvice(peer: PeerConfig | undefined, family: "IPv4" | "IPv6"): Advice | null {
  if (!peer) return null;
  const { peer_ipv4: ipv4, peer_ipv6: ipv6 } = peer;
  const [asked, other] = family === "IPv4" ? [ipv4, ipv6] : [ipv6, ipv4];
  if (asked !== "" || other === "") return null;
  return { text: `This peering has no ${family} tunnel address.`, isUnavailable: true };
}
