import { chakra } from "@chakra-ui/react/styled-system";
import { useQueryClient } from "@tanstack/react-query";
import { Navigate, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { PeerConfig } from "../../../contract/entities.ts";
import { isTypedField } from "../../../domain/peer-form.ts";
import { toldBy } from "../../api/client.ts";
import { useNotificationState } from "../../offline/notifications.ts";
import { useServerReached } from "../../offline/reach.ts";
import { Notice } from "../../ui/notice.tsx";
import { PermissionHint } from "../../ui/permission-hint.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { dropDraft, useDraft } from "./draft.ts";
import { StepContent } from "./step-content.tsx";
import { StepFrame } from "./step-frame.tsx";
import type { FormStep, WizardStep, WizardType } from "./step-names.ts";
import { neighbourStep, reachableStep, stepComplete, stepOfField } from "./steps.ts";
import { faultOf, type SubmitFault, useSubmit } from "./submit.ts";
import type { WizardState } from "./wizard-state.ts";

/** Draws a submit that has no task: under way, or failed and then with the way back to the form. */
export type RenderStarting = (failure: string | null, onReview?: () => void) => ReactNode;

export interface PeeringWizardProps {
  readonly username: string;
  readonly type: WizardType;
  /** The node under edit; empty for a new peering. */
  readonly node: string;
  /** The step that the address asks for. */
  readonly wanted: WizardStep | undefined;
  readonly initial: WizardState;
  /** Whether `initial` is what was entered before, and not the start of something new. */
  readonly restored: boolean;
  readonly renderStarting: RenderStarting;
}

export function PeeringWizard(props: PeeringWizardProps) {
  const { username, type, node, wanted, initial, restored, renderStarting } = props;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const serverReached = useServerReached();
  const notifications = useNotificationState();
  const [state, dispatch] = useDraft({ username, type, node }, initial);
  const submit = useSubmit(username, type, {
    onTask: (task) =>
      void navigate({
        to: "/manager/updatepeer/$type",
        params: { type },
        search: { node: task.node, step: "awaitingDeployment", task: task.taskID },
      }),
    onFault: (fault) => mend(fault),
  });
  const searchOf = (step: FormStep) => ({ step, ...(type === "edit" && { node }) });
  const goTo = (step: FormStep) =>
    void navigate({ to: "/manager/updatepeer/$type", params: { type }, search: searchOf(step) });
  const mend = (fault: SubmitFault) => {
    if (fault.kind === "conflict") dispatch({ type: "conflicted", message: fault.message });
    if (fault.kind !== "field") return;
    dispatch({ type: "refused", refusal: fault.refusal });
    goTo(stepOfField(type, fault.refusal.field));
  };

  if (submit.isPending || submit.isSuccess) return renderStarting(null);
  if (submit.isError && faultOf(submit.error).kind === "failure") {
    return renderStarting(toldBy(submit.error), submit.reset);
  }

  const step = reachableStep(type, state.form, wanted);
  if (wanted !== undefined && step !== wanted) {
    return <Navigate to="/manager/updatepeer/$type" params={{ type }} search={searchOf(step)} replace />;
  }

  const takeTheirs = (config: PeerConfig | null) => {
    if (config !== null && type === "edit") {
      dispatch({ type: "theirsTaken", config });
      goTo("selectBGPDetails");
      return;
    }
    dropDraft(queryClient, { username, type, node });
    void (config === null
      ? navigate({ to: "/manager" })
      : navigate({
          to: "/manager/updatepeer/$type",
          params: { type: "edit" },
          search: { node: state.form.node },
        }));
  };
  const cancel = () => {
    dropDraft(queryClient, { username, type, node });
    void navigate({ to: "/manager" });
  };
  const next = neighbourStep(type, step, 1);
  const previous = neighbourStep(type, step, -1);
  return (
    <StepFrame
      type={type}
      step={step}
      node={state.form.node}
      forward={
        next
          ? { label: "Next", enabled: stepComplete(step, state.form), go: () => goTo(next) }
          : { label: "Submit", enabled: state.conflict === null, go: () => submit.mutate(state) }
      }
      onBack={previous && (() => goTo(previous))}
      onCancel={cancel}
    >
      {restored && state === initial && (
        <chakra.p fontSize="sm" color="fg.muted">
          This is what you entered before. Cancel discards it.
        </chakra.p>
      )}
      {!serverReached && step === "confirmDetails" && (
        <Notice tone="warning">
          Submitting needs the server, which cannot be reached right now. Nothing is sent later by itself;
          everything you entered is kept on this device until you submit it.
        </Notice>
      )}
      {state.refusal && stepOfField(type, state.refusal.field) === step && (
        <Notice tone="error">
          {isTypedField(state.refusal.field)
            ? "The server refused the value marked below."
            : state.refusal.message}{" "}
          Nothing was deployed; everything you entered is kept.
        </Notice>
      )}
      {state.conflict !== null && step === "confirmDetails" && (
        <ConflictNotice
          username={username}
          node={state.form.node}
          message={state.conflict}
          onTakeTheirs={takeTheirs}
          onKeepMine={(config) => dispatch({ type: "mineKept", generation: config?.generation ?? 0 })}
        />
      )}
      <StepContent username={username} step={step} state={state} dispatch={dispatch} />
      {step === "confirmDetails" && <PermissionHint shown={notifications === "unasked"} button="Submit" />}
    </StepFrame>
  );
}
