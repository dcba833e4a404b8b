import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toldBy } from "../../api/client.ts";
import { peerConfigQuery } from "../../api/peer-config.ts";
import { Loader } from "../../ui/loader.tsx";
import { Notice } from "../../ui/notice.tsx";
import { readDraft } from "./draft.ts";
import { PeeringWizard, type PeeringWizardProps } from "./peering-wizard.tsx";
import { editOf, type WizardState } from "./wizard-state.ts";

export type EditPeeringProps = Pick<PeeringWizardProps, "username" | "node" | "wanted" | "renderStarting">;

/** The wizard for a peering as it runs, or as the form was left. What is read later does not touch the form. */
export function EditPeering(props: EditPeeringProps) {
  const { username, node } = props;
  const queryClient = useQueryClient();
  const [draft] = useState(() => readDraft(queryClient, { username, type: "edit", node }));
  const config = useQuery({ ...peerConfigQuery(username, node), enabled: draft === undefined });
  const [initial, setInitial] = useState<WizardState | undefined>(draft);

  if (initial === undefined && config.data) setInitial(editOf(node, config.data));
  if (initial)
    return <PeeringWizard {...props} type="edit" initial={initial} restored={draft !== undefined} />;
  return config.isError ? (
    <Notice onRetry={() => void config.refetch()} retrying={config.isFetching}>
      The peering's configuration could not be loaded. {toldBy(config.error)}
    </Notice>
  ) : (
    <Loader label="Loading the peering's configuration…" />
  );
}
