import { chakra } from "@chakra-ui/react/styled-system";
import { useQueries, useQuery } from "@tanstack/react-query";
import { type Dispatch, useId } from "react";
import { errorMessage } from "../../../api/client.ts";
import { nodeHistoryQuery } from "../../../api/node-history.ts";
import { nodesListQuery, peeredNodesQuery } from "../../../api/peering-queries.ts";
import { useNodeHost, useNodePlace } from "../../../api/provider.ts";
import { Loader } from "../../../ui/feedback/loading.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import type { WizardAction } from "./wizard-state.ts";

export interface SelectNodeStepProps {
  readonly username: string;
  /** Empty until chosen. */
  readonly chosen: string;
  readonly dispatch: Dispatch<WizardAction>;
}

export function SelectNodeStep({ username, chosen, dispatch }: SelectNodeStepProps) {
  const hintId = useId();
  const [nodes, peered] = useQueries({ queries: [nodesListQuery(username), peeredNodesQuery(username)] });
  // Says which nodes are down. A server without it, or without a network, marks none.
  const { data: histories } = useQuery(nodeHistoryQuery());
  const down = new Set((histories ?? []).flatMap(({ node, now }) => (now === "Down" ? [node] : [])));
  const nodeHost = useNodeHost();
  const error = nodes.error ?? peered.error;
  return (
    <>
      <chakra.p id={hintId} color="fg.muted">
        Only one peering per provider node is possible at the moment.
      </chakra.p>
      {error && (
        <Notice
          onRetry={() => void Promise.all([nodes.refetch(), peered.refetch()])}
          isRetrying={nodes.isFetching || peered.isFetching}
        >
          The nodes could not be loaded. {errorMessage(error)}
        </Notice>
      )}
      {!error && (nodes.isPending || peered.isPending) && <Loader label="Loading nodes…" />}
      {nodes.data && peered.data && nodes.data.every(({ name }) => peered.data.includes(name)) && (
        <Notice>You already peer with every node. To change a peering, open it on the dashboard.</Notice>
      )}
      {nodes.data && peered.data && (
        <chakra.div
          role="group"
          aria-label="Node"
          aria-describedby={hintId}
          display="grid"
          gap="2"
          gridTemplateColumns="repeat(auto-fill, minmax(min(100%, 16rem), 1fr))"
        >
          {nodes.data.map(({ name }) => (
            <NodeButton
              key={name}
              name={name}
              chosen={name === chosen}
              peered={peered.data.includes(name)}
              down={down.has(name)}
              onChoose={() => dispatch({ type: "nodeChosen", node: name })}
            />
          ))}
        </chakra.div>
      )}
      {down.has(chosen) && (
        <Notice tone="warning">
          {nodeHost(chosen)} cannot be reached at the moment. A deployment waits two minutes for it, and fails
          if it is not back by then.
        </Notice>
      )}
    </>
  );
}

interface NodeButtonProps {
  readonly name: string;
  readonly chosen: boolean;
  /** This AS already peers with the node. */
  readonly peered: boolean;
  /** The server could not reach it when it last tried. */
  readonly down: boolean;
  readonly onChoose: () => void;
}

const Choice = chakra("button", {
  base: {
    display: "block",
    minWidth: "0",
    px: "3",
    py: "2",
    textAlign: "start",
    bg: "bg.panel",
    borderWidth: "1px",
    borderColor: "border.emphasized",
    borderRadius: "md",
    cursor: "pointer",
    "&:hover:not([aria-pressed=true], :disabled)": { borderColor: "fg.subtle" },
    _pressed: { borderColor: "accent", bg: "accent.subtle" },
    _disabled: { cursor: "not-allowed", bg: "bg.subtle", borderColor: "border", color: "fg.muted" },
    "& > span": { display: "block" },
    "& > :first-child": { fontFamily: "mono", overflowWrap: "anywhere" },
    "& > :last-child": { fontSize: "sm", color: "fg.muted" },
  },
});

function NodeButton({ name, chosen, peered, down, onChoose }: NodeButtonProps) {
  const nodeHost = useNodeHost();
  const place = useNodePlace(name);
  return (
    <Choice type="button" aria-pressed={chosen} disabled={peered} onClick={onChoose}>
      <span>{nodeHost(name)}</span>
      <span>
        {[place, peered ? "already peered" : "", down ? "not reached" : ""]
          .filter((each) => each !== "")
          .join(" · ")}
      </span>
    </Choice>
  );
}
