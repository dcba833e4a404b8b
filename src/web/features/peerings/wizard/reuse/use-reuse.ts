import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Dispatch, useEffect, useState } from "react";
import type { FormStep, FormType } from "#contract/app/screens.ts";
import { isUnfilled } from "#domain/peering/fields/reuse-peering.ts";
import { peeredNodesQuery } from "#web/api/peering-queries.ts";
import { useProvider } from "#web/api/provider.ts";
import type { WizardAction, WizardState } from "../wizard-state.ts";
import { findReusablePeering, loadReusablePeerings } from "./reusable-peering.ts";

export interface ReuseButton {
  /** Whether the form can take over the values of another peering. */
  readonly isOffered: boolean;
  readonly isPending: boolean;
  /**
   * Leaves the node step. Fills in an empty form, and goes to the confirmation, or to a step with a question before it.
   *
   * @param target where the participant wants to go
   */
  readonly leave: (target: FormStep) => void;
}

/** Fills a new peering's form with the values of the newest one when the node step is left. */
export function useReuse(
  {
    username,
    type,
    state,
  }: { readonly username: string; readonly type: FormType; readonly state: WizardState },
  dispatch: Dispatch<WizardAction>,
  goTo: (step: FormStep) => void,
): ReuseButton {
  const queryClient = useQueryClient();
  const { options } = useProvider();
  const [isPending, setIsPending] = useState(false);
  const isFillable = type === "new" && isUnfilled(state.form);
  const { data: peered = [] } = useQuery({ ...peeredNodesQuery(username), enabled: type === "new" });
  const hasPeerings = type === "new" && peered.length > 0;
  useEffect(() => {
    if (hasPeerings && isFillable) void loadReusablePeerings(queryClient, username);
  }, [queryClient, username, hasPeerings, isFillable]);

  const leave = async (target: FormStep) => {
    setIsPending(true);
    await loadReusablePeerings(queryClient, username);
    setIsPending(false);
    const reuse = findReusablePeering(queryClient, { username, node: state.form.node }, options);
    if (reuse) dispatch({ type: "reused", ...reuse });
    goTo(reuse?.hasQuestion === false ? target : "selectBGPDetails");
  };
  return {
    isOffered: hasPeerings && (isFillable || state.source !== ""),
    isPending,
    leave: (target) => {
      if (hasPeerings && isFillable) void leave(target);
      else goTo(target);
    },
  };
}
