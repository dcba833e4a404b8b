import { useQueries } from "@tanstack/react-query";
import type { NodeConfig, PeerConfig, PeerStatus } from "#contract/lenient.ts";
import { isEstablished, pathOf, type SegmentState } from "#domain/peering/peering-path.ts";
import { countOf } from "#domain/text/plural.ts";
import { providerEndpoint } from "#domain/peering/participant-config.ts";
import { useNodeHost, useNodePlace, useProvider } from "#web/api/provider.ts";
import { PathLanes } from "#web/ui/plots/path-lanes.tsx";
import { exchangedRoutes } from "../describe-routes.ts";
import { useHandshakeAge } from "./handshake-age.ts";
import type { Session } from "./session-state.tsx";
import { nodeConfigQuery, peerConfigQuery } from "../queries.ts";

export interface PeeringLanesProps {
  readonly username: string;
  readonly status: PeerStatus;
}

/** The path of the peering drawn large: the participant's router, a lane each for WireGuard and BGP, and the node. */
export function PeeringLanes({ username, status }: PeeringLanesProps) {
  const { node } = status;
  const { asn } = useProvider();
  const host = useNodeHost()(node);
  const handshake = useHandshakeAge(username, status);
  const place = useNodePlace(node);
  const [peer, provider] = useQueries({
    queries: [peerConfigQuery(username, node), nodeConfigQuery(username, node)],
  });
  const { segments } = pathOf(status);
  const [, tunnel, session, routes] = segments;
  return (
    <PathLanes
      left={{ title: "Your router", name: `AS${username}`, facts: participantFacts(peer.data) }}
      right={{
        title: place === "" ? "Node" : `Node in ${place}`,
        name: host,
        facts: [`AS${asn}`, ...nodeFacts(peer.data, provider.data)],
      }}
      lanes={[
        {
          name: "WireGuard",
          state: tunnel?.state ?? "unknown",
          facts: tunnelFacts(status, handshake),
        },
        {
          name: isMultiprotocol(status) ? "Multiprotocol BGP" : "BGP",
          state: worseOf(session?.state ?? "unknown", routes?.state ?? "unknown"),
          facts: sessionFacts(status),
          note: routesNote(status),
        },
      ]}
    />
  );
}

const present = (texts: readonly string[]) => texts.filter((text) => text !== "");

function participantFacts(peer: PeerConfig | undefined): readonly string[] {
  return peer ? present([endpointFact(peer), present([peer.peer_ipv4, peer.peer_ipv6]).join(" · ")]) : [];
}

function endpointFact({ remote, no_endpoint }: PeerConfig): string {
  return no_endpoint === "Yes" ? "connects to the node" : remote;
}

function nodeFacts(peer: PeerConfig | undefined, provider: NodeConfig | undefined): readonly string[] {
  if (!peer || !provider) return [];
  const addresses = present([provider.local_ipv4, provider.local_ipv6]).join(" · ");
  return present([provider.public_ip === "" ? "" : providerEndpoint(provider, peer), addresses]);
}

function tunnelFacts({ known, latency }: PeerStatus, handshake: string | undefined): readonly string[] {
  if (!known) return [];
  return present([
    handshake === undefined ? "" : handshake === "" ? "no handshake yet" : `handshake ${handshake}`,
    latency,
  ]);
}

const isMultiprotocol = ({ sessions = [] }: PeerStatus) =>
  sessions.length === 1 && sessions[0]?.families.length === 2;

function sessionFacts({ sessions = [] }: PeerStatus): readonly string[] {
  if (sessions.length === 1) return sessions.map(describeState);
  return sessions.map((session) => `${session.families.join(" and ")} ${describeState(session)}`);
}

/** To many readers, BIRD's "Active" alone sounds as if it worked. */
function describeState(session: Session): string {
  return isEstablished(session) ? session.state : `not Established (${session.state})`;
}

/** "20 routes from you, 18 refused · 1043 routes to you" */
function routesNote(status: PeerStatus): string {
  const routes = exchangedRoutes(status);
  if (routes === null) return "";
  const { received, refused, exported } = routes;
  const fromYou = `${countOf(received, "route")} from you${refused === 0 ? "" : `, ${refused} refused`}`;
  if (exported !== null) return `${fromYou} · ${countOf(exported, "route")} to you`;
  return isSending(status) ? `${fromYou} · still sending routes to you` : fromYou;
}

/** Whether an Established session has not been sent all routes yet. */
function isSending({ sessions = [] }: PeerStatus): boolean {
  const up = sessions.filter(isEstablished);
  return up.some(({ routes }) => routes?.some(({ exported }) => exported === null));
}

/** The BGP lane is as good as the worse of session and routes. Routes that are not counted say nothing. */
function worseOf(session: SegmentState, routes: SegmentState): SegmentState {
  return session === "good" && (routes === "degraded" || routes === "broken") ? routes : session;
}
