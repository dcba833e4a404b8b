import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { readDraft } from "./draft.ts";
import { PeeringWizard, type PeeringWizardProps } from "./peering-wizard.tsx";
import { newPeering } from "./wizard-state.ts";

export type CreatePeeringProps = Pick<PeeringWizardProps, "username" | "wanted" | "renderStarting">;

/** The wizard for a new peering, empty or as it was left. */
export function CreatePeering(props: CreatePeeringProps) {
  const queryClient = useQueryClient();
  const of = { username: props.username, type: "new", node: "" } as const;
  const [draft] = useState(() => readDraft(queryClient, of));
  return <PeeringWizard {...props} {...of} initial={draft ?? newPeering} restored={draft !== undefined} />;
}
