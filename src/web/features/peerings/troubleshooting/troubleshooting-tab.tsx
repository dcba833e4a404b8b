import { chakra } from "@chakra-ui/react/styled-system";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { calls } from "#contract/call-tables/app-calls.ts";
import type { PeerConfig, PeerStatus, PingResult } from "#contract/lenient.ts";
import type { ReceivedTab } from "#contract/app/screens.ts";
import { call, callOptional } from "#web/api/client.ts";
import { refreshPeerings } from "#web/api/peering-queries.ts";
import { useIsServerReachable } from "#web/browser/connectivity.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { overviewLink } from "../screen-links.ts";
import { checkAdvice, pingAdvice, restartAdvice, routesAdvice } from "./action-advice.ts";
import { BgpCheckResult } from "./bgp-check-result.tsx";
import {
  FailedOutput,
  NodeOutput,
  type NodeQuery,
  NodeQueryModal,
  useNodeQuery,
} from "./node-query-modal.tsx";
import { QueryButton } from "./query-button.tsx";
import { ReceivedRoutes } from "./received-routes.tsx";
import { useRestartRest } from "./restart-rest.ts";
import { RoutesView } from "./routes-view.tsx";

export interface TroubleshootingTabProps {
  readonly username: string;
  readonly node: string;
  /** Undefined until it is loaded. */
  readonly status: PeerStatus | undefined;
  /** Undefined until it is loaded. */
  readonly peer: PeerConfig | undefined;
  /** The list of received routes that opens at once. */
  readonly routes: ReceivedTab | undefined;
}

export function TroubleshootingTab({ username, node, status, peer, routes }: TroubleshootingTabProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isServerReachable = useIsServerReachable();
  const [receivedTab, setReceivedTab] = useState<ReceivedTab>(routes ?? "all");
  const target = { username, node };
  const rest = useRestartRest(username, node);
  const check = useNodeQuery((signal) => call(calls.troubleshootBGP, target, { signal }));
  const received = useNodeQuery(async (signal) => {
    const [{ output }, [refused]] = await Promise.all([
      call(calls.getPeerReceivedRoutes, target, { signal }),
      Promise.allSettled([callOptional(queryClient, calls.getRefusedRoutes, target, { signal })]),
    ]);
    return { output, refused };
  });
  const advertised = useNodeQuery((signal) => call(calls.getPeerAdvertisedRoutes, target, { signal }));
  const restart = useNodeQuery(async (signal) => {
    rest.begin();
    try {
      const restarted = await call(calls.restartBGPPeer, target, { signal });
      void refreshPeerings(queryClient, username);
      return restarted;
    } catch (error) {
      // A restart that the participant no longer waits for may have begun.
      if (!signal.aborted) rest.cancel();
      throw error;
    }
  });
  const ping4 = useNodeQuery((signal) =>
    call(calls.pingCheck, { ...target, addr_family: "ipv4" }, { signal }),
  );
  const ping6 = useNodeQuery((signal) =>
    call(calls.pingCheck, { ...target, addr_family: "ipv6" }, { signal }),
  );

  const startReceived = (tab: ReceivedTab) => {
    setReceivedTab(tab);
    received.start();
  };
  const openFromAddress = useEffectEvent(received.start);
  useEffect(() => {
    if (routes !== undefined) openFromAddress();
  }, [routes]);
  const closeReceived = () => {
    received.close();
    // Otherwise a reload would open it again.
    if (routes !== undefined) void navigate({ ...overviewLink(node, "troubleshooting"), replace: true });
  };
  return (
    <chakra.div
      display="grid"
      gap="4"
      gridTemplateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(3, minmax(0, 1fr))" }}
    >
      {!isServerReachable && (
        <chakra.div gridColumn="1 / -1">
          <Notice tone="warning">
            The server cannot be reached right now, so these checks do not work. They query the node when you
            click.
          </Notice>
        </chakra.div>
      )}
      <Part
        title="BGP config verification"
        lead="Compares the address families and next hops of the peering with what your router announces, and counts your routes."
      >
        <QueryButton query={check} advice={checkAdvice(status)}>
          Check BGP config
        </QueryButton>
      </Part>
      <Part
        title="Routing verification"
        lead="Lists the routes in both directions, and why some of your routes are refused."
      >
        <QueryButton query={received} advice={routesAdvice(status)} onStart={() => startReceived("all")}>
          Routes received from you
        </QueryButton>
        <QueryButton query={advertised}>Routes advertised to you</QueryButton>
      </Part>
      <Part title="Actions" lead="A ping goes from the node to your tunnel address.">
        <QueryButton query={restart} advice={restartAdvice(status, rest.secondsLeft)}>
          Restart BGP
        </QueryButton>
        <QueryButton query={ping4} advice={pingAdvice(peer, "IPv4")}>
          IPv4 Ping Check
        </QueryButton>
        <QueryButton query={ping6} advice={pingAdvice(peer, "IPv6")}>
          IPv6 Ping Check
        </QueryButton>
      </Part>

      <NodeQueryModal
        title="BGP Config Check"
        query={check}
        waiting="Comparing both sides…"
        failure="Failed to retrieve BGP config. The node may be unavailable. Please try again later."
      >
        {(response) => (
          <BgpCheckResult
            check={response}
            onShowRefused={() => {
              check.close();
              startReceived("refused");
            }}
          />
        )}
      </NodeQueryModal>
      <NodeQueryModal
        title="Show received routes"
        query={{ ...received, close: closeReceived }}
        waiting="Listing the routes…"
        wide
      >
        {(response) => (
          <ReceivedRoutes {...response} tab={receivedTab} onTab={setReceivedTab} onRetry={received.start} />
        )}
      </NodeQueryModal>
      <NodeQueryModal title="Show advertised routes" query={advertised} waiting="Listing the routes…" wide>
        {({ output }) => (
          <RoutesView
            output={output}
            label="Routes advertised to you"
            none="The node advertises no routes to you."
          />
        )}
      </NodeQueryModal>
      <NodeQueryModal
        title="Restart BGP Peer"
        query={restart}
        waiting="Restarting the sessions…"
        note="Cancel stops waiting. A restart that has already begun continues."
      >
        {({ output }) => (
          <SuccessOutput
            message="The BGP sessions were restarted. The Status tab shows when they are up again."
            output={output}
          />
        )}
      </NodeQueryModal>
      <PingModal query={ping4} family="IPv4" />
      <PingModal query={ping6} family="IPv6" />
    </chakra.div>
  );
}

interface PartProps {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
}

function Part({ title, lead, children }: PartProps) {
  return (
    <Panel title={title}>
      <chakra.p color="fg.muted" maxWidth="prose">
        {lead}
      </chakra.p>
      <chakra.div display="flex" flexWrap="wrap" gap="2" mt="3">
        {children}
      </chakra.div>
    </Panel>
  );
}

interface PingModalProps {
  readonly query: NodeQuery<PingResult>;
  readonly family: string;
}

function PingModal({ query, family }: PingModalProps) {
  return (
    <NodeQueryModal title="Ping Check" query={query} waiting={`Pinging your ${family} tunnel address…`}>
      {({ result, output }) =>
        result === "success" ? (
          <SuccessOutput message={`Your router replied over ${family}.`} output={output} />
        ) : (
          <FailedOutput output={output}>{output === "" && "The ping returned no output."}</FailedOutput>
        )
      }
    </NodeQueryModal>
  );
}

function SuccessOutput({ message, output }: { readonly message: string; readonly output: string }) {
  return (
    <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
      <Notice tone="success">{message}</Notice>
      {output !== "" && <NodeOutput text={output} />}
    </chakra.div>
  );
}
