import { chakra } from "@chakra-ui/react/styled-system";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { calls } from "../../../contract/calls.ts";
import type { PingResult } from "../../../contract/entities.ts";
import { call } from "../../api/client.ts";
import { refreshPeerings } from "../../api/peering-key.ts";
import { useServerReached } from "../../offline/reach.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { BgpCheckResult } from "./bgp-check-result.tsx";
import { FailedOutput, NodeOutput, NodeQueryModal } from "./node-query-modal.tsx";
import { type ReceivedPart, ReceivedRoutes } from "./received-routes.tsx";
import { RoutesView } from "./routes-view.tsx";
import { type NodeQuery, useNodeQuery } from "./use-node-query.ts";

export interface TroubleshootingTabProps {
  readonly username: string;
  readonly node: string;
}

export function TroubleshootingTab({ username, node }: TroubleshootingTabProps) {
  const queryClient = useQueryClient();
  const serverReached = useServerReached();
  const [part, setPart] = useState<ReceivedPart>("all");
  const whose = { username, node };
  const check = useNodeQuery((signal) => call(calls.troubleshootBGP, whose, { signal }));
  const received = useNodeQuery(async (signal) => {
    const [{ output }, [refused]] = await Promise.all([
      call(calls.getPeerReceivedRoutes, whose, { signal }),
      Promise.allSettled([call(calls.getRefusedRoutes, whose, { signal })]),
    ]);
    return { output, refused };
  });
  const advertised = useNodeQuery((signal) => call(calls.getPeerAdvertisedRoutes, whose, { signal }));
  const restart = useNodeQuery(async (signal) => {
    const restarted = await call(calls.restartBGPPeer, whose, { signal });
    void refreshPeerings(queryClient, username);
    return restarted;
  });
  const ping4 = useNodeQuery((signal) =>
    call(calls.pingCheck, { ...whose, addr_family: "ipv4" }, { signal }),
  );
  const ping6 = useNodeQuery((signal) =>
    call(calls.pingCheck, { ...whose, addr_family: "ipv6" }, { signal }),
  );

  const startReceived = (first: ReceivedPart) => {
    setPart(first);
    received.start();
  };
  return (
    <chakra.div
      display="grid"
      gap="4"
      gridTemplateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(3, minmax(0, 1fr))" }}
    >
      {!serverReached && (
        <chakra.div gridColumn="1 / -1">
          <Notice tone="warning">
            These ask the node as you click, so they need the server, which cannot be reached right now.
          </Notice>
        </chakra.div>
      )}
      <Part
        title="BGP config verification"
        lead="Compares the address families and next hops of the peering with what your router announces, and counts your routes."
      >
        <QueryButton query={check}>Check BGP config</QueryButton>
      </Part>
      <Part
        title="Routing verification"
        lead="What crosses the sessions in both directions, and why routes of yours are refused."
      >
        <QueryButton query={received} onStart={() => startReceived("all")}>
          Routes received from you
        </QueryButton>
        <QueryButton query={advertised}>Routes advertised to you</QueryButton>
      </Part>
      <Part
        title="Actions"
        lead="A restart drops the BGP sessions at once; they come back within seconds where your side runs. The tunnel stays up. Pings go through the tunnel to your tunnel address."
      >
        <QueryButton query={restart}>Restart BGP</QueryButton>
        <QueryButton query={ping4}>IPv4 Ping Check</QueryButton>
        <QueryButton query={ping6}>IPv6 Ping Check</QueryButton>
      </Part>

      <NodeQueryModal
        title="BGP Config Check"
        query={check}
        waiting="Comparing both sides…"
        failure="Failed to retrieve BGP config. The node may be unavailable. Please try again later."
      >
        {(answer) => (
          <BgpCheckResult
            check={answer}
            onShowRefused={() => {
              check.close();
              startReceived("refused");
            }}
          />
        )}
      </NodeQueryModal>
      <NodeQueryModal title="Show received routes" query={received} waiting="Listing the routes…" wide>
        {(answer) => <ReceivedRoutes {...answer} part={part} onPart={setPart} />}
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
        meanwhile="Cancel ends the waiting. A restart that the node has begun goes on."
      >
        {({ output }) => (
          <Answer
            told="The BGP sessions were restarted. The Status tab shows when they are up again."
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

interface QueryButtonProps<T> {
  readonly query: NodeQuery<T>;
  readonly onStart?: () => void;
  readonly children: string;
}

function QueryButton<T>({ query: { button, start }, onStart, children }: QueryButtonProps<T>) {
  return (
    <Button ref={button} onClick={() => (onStart ?? start)()} aria-haspopup="dialog">
      {children}
    </Button>
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
          <Answer told={`Your router answers over ${family}.`} output={output} />
        ) : (
          <FailedOutput output={output} />
        )
      }
    </NodeQueryModal>
  );
}

function Answer({ told, output }: { readonly told: string; readonly output: string }) {
  return (
    <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
      <Notice tone="success">{told}</Notice>
      {output !== "" && <NodeOutput text={output} />}
    </chakra.div>
  );
}
