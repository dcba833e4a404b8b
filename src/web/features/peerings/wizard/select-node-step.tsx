import { chakra } from "@chakra-ui/react/styled-system";
import { useQueries, useQuery } from "@tanstack/react-query";
import { type Dispatch, useId } from "react";
import { errorMessage } from "../../../api/client.ts";
import type { NodeSummary } from "../../../../contract/history.ts";
import { networkSummaryQuery } from "../../../api/network/history-queries.ts";
import { nodesListQuery, peeredNodesQuery } from "../../../api/peering-queries.ts";
import { useNodeHost, useNodePlace, useProvider } from "../../../api/provider.ts";
import { Loader } from "../../../ui/feedback/loading.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { bubbleState, StatusBubble, unknownWord } from "../../../ui/feedback/status-bubble.tsx";
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
  // Says which nodes are down or full. A server without it, or without a network, marks none.
  const { data: summary } = useQuery(networkSummaryQuery());
  const known = new Map(summary?.nodes.map((each) => [each.node, each]));
  const nodeHost = useNodeHost();
  const provider = useProvider();
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
      {!error && (nodes.isPending || peered.isPending) && (
        // As high as the list, if the server names the nodes of the profile.
        <chakra.div minHeight={rowsHeight(provider.nodes.length)}>
          <Loader label="Loading nodes…" />
        </chakra.div>
      )}
      {nodes.data && peered.data && nodes.data.every(({ name }) => peered.data.includes(name)) && (
        <Notice>You already peer with every node. To change a peering, open it on the dashboard.</Notice>
      )}
      {nodes.data && peered.data && (
        <chakra.div
          role="group"
          aria-label="Node"
          aria-describedby={hintId}
          bg="bg.panel"
          borderWidth="1px"
          borderRadius="lg"
          overflow="hidden"
        >
          {nodes.data.map(({ name }) => (
            <NodeButton
              key={name}
              name={name}
              chosen={name === chosen}
              peered={peered.data.includes(name)}
              known={known.get(name)}
              onChoose={() => dispatch({ type: "nodeChosen", node: name })}
            />
          ))}
        </chakra.div>
      )}
      {known.get(chosen)?.now === "Down" && (
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
  /** What the server knows of the node; undefined without a history. */
  readonly known: NodeSummary | undefined;
  readonly onChoose: () => void;
}

function rowsHeight(count: number) {
  return { base: `${4.125 * count}rem`, md: `${3.75 * count}rem` };
}

/** A row of the list. On a phone the note is below the state. */
const Choice = chakra("button", {
  base: {
    display: "grid",
    gridTemplateColumns: { base: "auto minmax(0, 1fr) auto", md: "auto minmax(0, 1fr) 8rem 12rem" },
    alignItems: "center",
    columnGap: "3.5",
    width: "full",
    minHeight: rowsHeight(1),
    px: { base: "4", md: "5" },
    py: "2",
    textAlign: "start",
    cursor: "pointer",
    _notFirst: { borderTopWidth: "1px" },
    "&:hover:not([aria-pressed=true], :disabled)": { bg: "bg.subtle" },
    _pressed: { bg: "accent.subtle" },
    _disabled: { cursor: "not-allowed", color: "fg.muted" },
    _focusVisible: { outlineOffset: "-2px" },
    "& .mark": { boxSize: "4", borderRadius: "full", borderWidth: "1.5px", borderColor: "border.emphasized" },
    "&[aria-pressed=true] .mark": { borderWidth: "5px", borderColor: "accent" },
    "&:disabled .mark": { opacity: 0.5 },
    "& .host": { fontFamily: "mono", overflowWrap: "anywhere" },
    "& .note": { display: "block", fontSize: "sm", color: "fg.muted" },
    "& .state": { display: { base: "grid", md: "contents" }, justifyItems: "end", rowGap: "1" },
  },
});

function NodeButton({ name, chosen, peered, known, onChoose }: NodeButtonProps) {
  const nodeHost = useNodeHost();
  const place = useNodePlace(name);
  const full = isFull(known);
  const note = peered ? "already peered" : full ? fullText(known) : noteOf(known);
  const id = useId();
  return (
    <Choice
      type="button"
      aria-pressed={chosen}
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-state ${id}-note`}
      disabled={peered || full}
      onClick={onChoose}
    >
      <span className="mark" aria-hidden />
      <span id={`${id}-name`}>
        <span className="host">{nodeHost(name)}</span>{" "}
        {place !== "" && (
          <span className="note">
            <bdi>{place}</bdi>
          </span>
        )}
      </span>
      <span className="state">
        <span id={`${id}-state`}>{known && known.now !== null && <NodeBubble now={known.now} />}</span>
        <span id={`${id}-note`} className="note">
          {note}
        </span>
      </span>
    </Choice>
  );
}

/** A node that did not reply is down in the history; its state is unknown. */
function NodeBubble({ now }: { readonly now: string }) {
  return now === "Down" ? (
    <StatusBubble state="down" word={unknownWord} />
  ) : (
    <StatusBubble state={bubbleState(now)} word={now} />
  );
}

function isFull(known: NodeSummary | undefined): known is NodeSummary & { capacity: number } {
  if (!known || known.capacity === null || known.peerings === null) return false;
  return known.peerings >= known.capacity;
}

const fullText = ({ capacity }: { readonly capacity: number }) => `full, ${capacity} peerings`;

function noteOf(known: NodeSummary | undefined): string {
  if (known?.now === "Down") return "does not respond";
  if (!known || known.peerings === null) return "";
  return known.peerings === 1 ? "1 peering" : `${known.peerings} peerings`;
}
