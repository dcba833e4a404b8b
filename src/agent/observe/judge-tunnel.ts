import type { ObservedPeering } from "../../contract/agent.ts";
import { spokenAge } from "../../domain/age.ts";
import type { PeeringObservation, RoutedPeering } from "../drivers/router.ts";
import { endpointOf } from "../reconcile/plan.ts";

type Tunnel = ObservedPeering["tunnel"];

/** WireGuard throws a session's keys away 180 s after its handshake (whitepaper, section 6.1). */
const sessionSeconds = 180;

/** Whether a peering's tunnel is Up, and what is worth a look, each with what mends it. */
export function judgeTunnel(routed: RoutedPeering, observed: PeeringObservation | undefined): Tunnel {
  if (!observed) {
    return {
      state: "Down",
      rxBytes: 0,
      txBytes: 0,
      handshakeAgeSeconds: null,
      latencyMs: null,
      issues: ["The node does not run this tunnel at the moment. It is set up again on its own."],
    };
  }
  const { rxBytes, txBytes, handshakeAgeSeconds, latencyMs } = observed;
  const up = handshakeAgeSeconds !== null && handshakeAgeSeconds <= sessionSeconds;
  return {
    state: up ? "Up" : "Down",
    rxBytes,
    txBytes,
    handshakeAgeSeconds,
    latencyMs,
    issues: [...handshakeIssues(routed, handshakeAgeSeconds), ...(up ? probeIssues(routed, latencyMs) : [])],
  };
}

function handshakeIssues(routed: RoutedPeering, age: number | null): readonly string[] {
  const endpoint = endpointOf(routed);
  if (age === null) {
    return [
      `No handshake with ${endpoint} yet. Check that this address and UDP port reach your router, that your ` +
        "side holds the node's public key, and that its PersistentKeepalive is set.",
    ];
  }
  if (age <= sessionSeconds) return [];
  return [
    `The last handshake with ${endpoint} was ${spokenAge(age)}. Check that your router is up and that ` +
      "its address has not changed.",
  ];
}

function probeIssues({ peering }: RoutedPeering, latencyMs: number | null): readonly string[] {
  if (latencyMs !== null) return [];
  const address = peering.peerIpv6 ?? peering.peerIpv4;
  return [
    `${address} does not answer pings through the tunnel. Check that it is on your tunnel interface and that ` +
      "your firewall lets ICMP in.",
  ];
}
