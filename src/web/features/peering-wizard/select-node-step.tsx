import { chakra } from "@chakra-ui/react/styled-system";
import { useQueries } from "@tanstack/react-query";
import { type Dispatch, useId } from "react";
import { toldBy } from "../../api/client.ts";
import { nodesListQuery, peeredNodesQuery } from "../../api/nodes.ts";
import { Loader } from "../../ui/loader.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NodeButton } from "./node-button.tsx";
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
  const error = nodes.error ?? peered.error;
  return (
    <>
      <chakra.p id={hintId} color="fg.muted">
        Only one peering per provider node is possible at the moment.
      </chakra.p>
      {error && (
        <Notice
          onRetry={() => void Promise.all([nodes.refetch(), peered.refetch()])}
          retrying={nodes.isFetching || peered.isFetching}
        >
          The nodes could not be loaded. {toldBy(error)}
        </Notice>
      )}
      {!error && (nodes.isPending || peered.isPending) && <Loader label="Loading nodes…" />}
      {nodes.data && peered.data && nodes.data.every(({ name }) => peered.data.includes(name)) && (
        <Notice>You peer with every node already. A peering can be changed from its page.</Notice>
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
              onChoose={() => dispatch({ type: "nodeChosen", node: name })}
            />
          ))}
        </chakra.div>
      )}
    </>
  );
}
