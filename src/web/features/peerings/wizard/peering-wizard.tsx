import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Navigate, useNavigate } from "@tanstack/react-router";
import { peeredNodesQuery } from "#web/api/peering-queries.ts";
import { type Dispatch, useState } from "react";
import { CallError } from "#contract/client.ts";
import type { PeerConfig } from "#contract/lenient.ts";
import type { FormStep, FormType, WizardStep } from "#contract/app/screens.ts";
import { isUnfilled } from "#domain/peering/fields/reuse-peering.ts";
import { errorMessage } from "#web/api/client.ts";
import { networkSummaryQuery } from "#web/api/network/history-queries.ts";
import { useProvider } from "#web/api/provider.ts";
import { useIsServerReachable } from "#web/browser/connectivity.ts";
import { useNotificationState } from "#web/browser/notification-permission.ts";
import { Loader } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { SubmittedDeployment } from "../deployment/deployment-screen.tsx";
import { PermissionHint } from "../deployment/permission-hint.tsx";
import { deploymentLink, notFoundLink, wizardLink } from "../screen-links.ts";
import { peerConfigQuery } from "../queries.ts";
import { BusyNotice, ConflictNotice } from "./conflict-notice.tsx";
import { readPeeringDraft, deletePeeringDraft, usePeeringDraft } from "./peering-draft.ts";
import { StepContent } from "./step-content.tsx";
import { RefusalNotice } from "./frame/refusal-notice.tsx";
import { StepFrame } from "./frame/step-frame.tsx";
import { findReusablePeering } from "./reuse/reusable-peering.ts";
import { useReuse } from "./reuse/use-reuse.ts";
import { neighbourStep, reachableStep, isStepComplete, stepOfField, stepOfFields } from "./steps.ts";
import { classifySubmitError, type SubmitError, useSubmit } from "./submit.ts";
import { useValueCheck } from "./value-check.ts";
import { fromConfig, newState, reduceWizard, type WizardAction, type WizardState } from "./wizard-state.ts";

interface PeeringWizardProps {
  readonly username: string;
  readonly type: FormType;
  /** The node that is edited; "" for a new peering. */
  readonly node: string;
  /** The step in the URL. */
  readonly requestedStep: WizardStep | undefined;
  /** The form that is stored; an empty one without a draft. */
  readonly initial: WizardState;
  /** The form to begin with, and its step, if it was filled in since. */
  readonly start?: { readonly state: WizardState; readonly step: FormStep } | null;
  /** Whether `initial` comes from a draft. */
  readonly restored: boolean;
}

function PeeringWizard(props: PeeringWizardProps) {
  const { username, type, node, initial, start = null, restored } = props;
  const requestedStep = props.requestedStep ?? start?.step;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isServerReachable = useIsServerReachable();
  const notifications = useNotificationState();
  const announced = useProvider().options;
  const [state, change] = usePeeringDraft({ username, type, node }, initial, start?.state ?? initial);
  const [serverErrors, requestCheck] = useValueCheck(username, state, restored || start !== null);
  const dispatch: Dispatch<WizardAction> = (action) => {
    change(action);
    // The values are checked when a field is left and after a choice, not while a value is being typed.
    if (action.type !== "typed") requestCheck();
  };
  const submit = useSubmit(username, type, {
    onTask: (task) => void navigate(deploymentLink(type, task.node, task.taskID)),
    onError: (error) => showError(error),
  });
  const goTo = (step: FormStep) => void navigate(wizardLink(type, node, step));
  const reuse = useReuse({ username, type, state }, dispatch, goTo);
  const showError = (error: SubmitError) => {
    if (error.kind === "conflict") dispatch({ type: "conflictFound", message: error.message });
    if (error.kind !== "fields") return;
    dispatch({ type: "fieldsRejected", refusals: error.refusals });
    // The node has become full, and others may have too.
    if (error.refusals.some(({ field }) => field === "node"))
      void queryClient.invalidateQueries(networkSummaryQuery());
    goTo(
      stepOfFields(
        type,
        error.refusals.map(({ field }) => field),
      ),
    );
  };

  if (submit.isPending || submit.isSuccess) {
    return <SubmittedDeployment type={type} node={state.form.node} failure={null} />;
  }
  const submitError = submit.isError ? classifySubmitError(type, submit.error) : null;
  if (submit.isError && submitError?.kind === "failure") {
    return (
      <SubmittedDeployment
        type={type}
        node={state.form.node}
        failure={errorMessage(submit.error)}
        onReview={submit.reset}
      />
    );
  }

  const step = reachableStep(type, state.form, requestedStep);
  if (requestedStep !== undefined && step !== props.requestedStep) {
    return <Navigate {...wizardLink(type, node, step)} replace />;
  }

  const loadCurrent = (config: PeerConfig | null) => {
    if (config !== null && type === "edit") {
      dispatch({ type: "currentLoaded", config, announced });
      goTo("selectBGPDetails");
      return;
    }
    deletePeeringDraft(queryClient, { username, type, node });
    void (config === null ? navigate({ to: "/manager" }) : navigate(wizardLink("edit", state.form.node)));
  };
  const cancel = () => {
    deletePeeringDraft(queryClient, { username, type, node });
    void navigate({ to: "/manager" });
  };
  const next = neighbourStep(type, step, 1);
  const isComplete = isStepComplete(step, state.form);
  const leave = step === "selectNode" ? reuse.leave : goTo;
  const previous = neighbourStep(type, step, -1);
  return (
    <StepFrame
      type={type}
      step={step}
      node={state.form.node}
      forward={
        next
          ? { label: "Next", enabled: isComplete && !reuse.isPending, go: () => leave(next) }
          : { label: "Submit", enabled: state.conflict === null, go: () => submit.mutate(state) }
      }
      shortcut={
        step === "selectNode" &&
        reuse.isOffered && (
          <Button
            tone="primary"
            disabled={!isComplete}
            isPending={reuse.isPending}
            onClick={() => leave("confirmDetails")}
          >
            Use my last details
          </Button>
        )
      }
      onBack={previous && (() => goTo(previous))}
      onCancel={cancel}
    >
      {restored && state === initial && (
        <chakra.p fontSize="sm" color="fg.muted">
          This is what you entered before. Cancel discards it.
        </chakra.p>
      )}
      {!isServerReachable && step === "confirmDetails" && (
        <Notice tone="warning">
          The server cannot be reached right now. Everything you entered is kept on this device and is not
          sent until you submit it.
        </Notice>
      )}
      <RefusalNotice refusals={state.refusals.filter(({ field }) => stepOfField(type, field) === step)} />
      {state.conflict !== null && step === "confirmDetails" && (
        <ConflictNotice
          type={type}
          username={username}
          node={state.form.node}
          message={state.conflict}
          onLoadCurrent={loadCurrent}
          onKeepMine={(config) =>
            dispatch({
              type: "formKept",
              generation: config ? (config.generation ?? null) : 0,
              setOptions: config ? fromConfig(state.form.node, config, announced).setOptions : [],
            })
          }
        />
      )}
      {submitError?.kind === "busy" && step === "confirmDetails" && (
        <BusyNotice username={username} node={state.form.node} message={submitError.message} />
      )}
      <StepContent
        username={username}
        type={type}
        step={step}
        state={state}
        serverErrors={serverErrors}
        dispatch={dispatch}
      />
      {step === "confirmDetails" && <PermissionHint shown={notifications === "unasked"} button="Submit" />}
    </StepFrame>
  );
}

export interface CreatePeeringProps extends Pick<PeeringWizardProps, "username" | "requestedStep"> {
  /** The node of a link to a new peering; "" for one that is chosen in the first step. */
  readonly chosenNode: string;
}

/** The wizard for a new peering, empty, restored from a draft, or for a node that a link names. */
export function CreatePeering({ chosenNode, ...props }: CreatePeeringProps) {
  const queryClient = useQueryClient();
  const { username } = props;
  const id = { username, type: "new", node: "" } as const;
  const { options: announced } = useProvider();
  const [{ draft, start }] = useState(() => {
    const stored = readPeeringDraft(queryClient, id, announced);
    const peered = queryClient.getQueryData(peeredNodesQuery(username).queryKey) ?? [];
    // Once a step is open, what the participant has chosen in it counts.
    if (chosenNode === "" || props.requestedStep !== undefined || peered.includes(chosenNode))
      return { draft: stored, start: null };
    const chosen = reduceWizard(stored ?? newState, { type: "nodeChosen", node: chosenNode });
    const reuse = isUnfilled(chosen.form)
      ? findReusablePeering(queryClient, { username, node: chosenNode }, announced)
      : null;
    const state = reuse ? reduceWizard(chosen, { type: "reused", ...reuse }) : chosen;
    const step: FormStep = reuse?.hasQuestion === false ? "confirmDetails" : "selectBGPDetails";
    return { draft: stored, start: { state, step } };
  });
  return (
    <PeeringWizard
      {...props}
      {...id}
      initial={draft ?? newState}
      start={start}
      restored={draft !== undefined}
    />
  );
}

export type EditPeeringProps = Pick<PeeringWizardProps, "username" | "node" | "requestedStep">;

/** The wizard for an existing peering, filled from its configuration or a draft. Later reads do not change the form. */
export function EditPeering(props: EditPeeringProps) {
  const { username, node } = props;
  const queryClient = useQueryClient();
  const announced = useProvider().options;
  const [draft] = useState(() => readPeeringDraft(queryClient, { username, type: "edit", node }, announced));
  const config = useQuery({ ...peerConfigQuery(username, node), enabled: draft === undefined });
  const [initial, setInitial] = useState<WizardState | undefined>(draft);

  if (initial === undefined && config.data) setInitial(fromConfig(node, config.data, announced));
  if (initial)
    return <PeeringWizard {...props} type="edit" initial={initial} restored={draft !== undefined} />;
  if (config.error instanceof CallError && config.error.status === 404) return <Navigate {...notFoundLink} />;
  return config.isError ? (
    <Notice onRetry={() => void config.refetch()} isRetrying={config.isFetching}>
      The peering's configuration could not be loaded. {errorMessage(config.error)}
    </Notice>
  ) : (
    <Loader label="Loading the peering's configuration…" />
  );
}
