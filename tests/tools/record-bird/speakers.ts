/** BGP speakers of the participants, each a process in its host. */
import type { Capability, Open } from "../../support/bgp-messages.ts";
import type { BgpSpeakerOptions } from "../../support/bgp-speaker.ts";
import { type RemoteSpeaker, startRemoteSpeaker } from "../../support/bgp-speaker-client.ts";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { linkLocalPeering, routedPeering, separatePeering, tunnel } from "./network.ts";

/** The session that a speaker takes part in. */
export type Transport = "link-local" | "IPv4" | "IPv6 over link-local" | "routed IPv6";

const asn = (n: number) => Number(linkLocalPeering(n).asn);

/** What the speaker supports by default, by its session. */
const families: Readonly<Record<Transport, readonly Capability[]>> = {
  "link-local": [
    { kind: "multiprotocol", family: "IPv4" },
    { kind: "multiprotocol", family: "IPv6" },
    { kind: "extended-next-hop" },
  ],
  IPv4: [{ kind: "multiprotocol", family: "IPv4" }],
  "IPv6 over link-local": [{ kind: "multiprotocol", family: "IPv6" }],
  "routed IPv6": [{ kind: "multiprotocol", family: "IPv6" }],
};

/** Returns the OPEN message of a participant that supports everything that its session uses. */
export function openOf(n: number, transport: Transport): Open {
  return {
    asn: asn(n),
    holdTimeSeconds: 90,
    routerId: `172.21.${n}.1`,
    capabilities: [...families[transport], { kind: "route-refresh" }, { kind: "four-octet-as", asn: asn(n) }],
  };
}

export function startSpeaker(
  host: LabHost,
  n: number,
  transport: Transport,
  changed: Partial<Open> = {},
): RemoteSpeaker {
  const options: BgpSpeakerOptions = {
    address: addressOf(n, transport),
    open: { ...openOf(n, transport), ...changed },
  };
  return startRemoteSpeaker(host, options);
}

function addressOf(n: number, transport: Transport): string {
  switch (transport) {
    case "IPv4":
      return separatePeering(n).peerIpv4 ?? "";
    case "routed IPv6":
      return routedPeering(n).peerIpv6 ?? "";
    case "link-local":
    case "IPv6 over link-local":
      return `${linkLocalPeering(n).peerIpv6}%${tunnel}`;
  }
}
