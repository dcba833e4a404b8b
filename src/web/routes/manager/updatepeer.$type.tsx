import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createFileRoute, redirect, useNavigate } from "@tanstack/react-router";
import * as v from "valibot";
import { calls } from "../../../contract/calls.ts";
import { CallError } from "../../../contract/client.ts";
import { call } from "../../api/client.ts";
import { nodesListQuery, peeredNodesQuery } from "../../api/nodes.ts";
import { peerConfigQuery } from "../../api/peer-config.ts";
import { soon } from "../../api/soon.ts";
import { RunningDeployment, StartingDeployment } from "../../features/deployments/deployment-screen.tsx";
import { deploymentTypes } from "../../api/task-ending.ts";
import { CreatePeering } from "../../features/peering-wizard/create-peering.tsx";
import { DeletePeering } from "../../features/peering-wizard/delete-peering.tsx";
import { loadDraft, readDraft } from "../../features/peering-wizard/draft.ts";
import { EditPeering } from "../../features/peering-wizard/edit-peering.tsx";
import { wizardSteps } from "../../features/peering-wizard/step-names.ts";

const search = v.object({
  node: v.optional(v.fallback(v.optional(v.string()), undefined)),
  step: v.optional(v.fallback(v.optional(v.picklist(wizardSteps)), undefined)),
  /** The deployment to show; its screen can be reloaded and linked to. */
  task: v.optional(v.fallback(v.optional(v.string()), undefined)),
});

export const Route = createFileRoute("/manager/updatepeer/$type")({
  validateSearch: search,
  beforeLoad: ({ params, search: { node } }) => {
    const type = deploymentTypes.find((each) => each === params.type);
    if (type === undefined || (type !== "new" && !node)) throw notFound();
    return { type };
  },
  loaderDeps: ({ search: { node = "", task } }) => ({ node, task }),
  loader: async ({ context: { queryClient, username, type }, deps: { node, task } }) => {
    if (type !== "delete") await loadDraft(queryClient, { username, type, node });
    if (task !== undefined) return;
    if (type === "new") {
      await soon(
        queryClient.prefetchQuery(nodesListQuery(username)),
        queryClient.prefetchQuery(peeredNodesQuery(username)),
      );
    }
    if (type === "edit") await loadConfig(queryClient, username, node);
    if (type === "delete") await checkDeletion(username, node);
  },
  // Checked on the way in, not on every step.
  staleTime: Infinity,
  gcTime: 0,
  preload: false,
  component: Wizard,
});

function notFound() {
  return redirect({ to: "/not-found", replace: true });
}

/** An edit starts from what runs now. Any failure but "no such peering" is told by the form, with a retry. */
async function loadConfig(queryClient: QueryClient, username: string, node: string): Promise<void> {
  try {
    await queryClient.fetchQuery({ ...peerConfigQuery(username, node), staleTime: 0 });
  } catch (error) {
    // eslint-disable-next-line typescript/only-throw-error -- the router's redirects are thrown responses
    if (error instanceof CallError && error.status === 404) throw notFound();
  }
}

async function checkDeletion(username: string, node: string): Promise<void> {
  try {
    await call(calls.checkPeerDeletionValidity, { username, node });
  } catch {
    // eslint-disable-next-line typescript/only-throw-error -- the router's redirects are thrown responses
    throw notFound();
  }
}

function Wizard() {
  const { username, type } = Route.useRouteContext();
  const { node = "", step, task } = Route.useSearch();
  const starting = (failure: string | null, onReview?: () => void) => (
    <StartingDeployment type={type} node={node} failure={failure} onReview={onReview} />
  );
  if (task !== undefined) return <Deployment taskID={task} />;
  switch (type) {
    case "new":
      return <CreatePeering username={username} wanted={step} renderStarting={starting} />;
    case "edit":
      return (
        <EditPeering key={node} username={username} node={node} wanted={step} renderStarting={starting} />
      );
    case "delete":
      return <DeletePeering username={username} node={node} renderStarting={starting} />;
  }
}

function Deployment({ taskID }: { readonly taskID: string }) {
  const { username, type } = Route.useRouteContext();
  const { node = "" } = Route.useSearch();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const draft = type === "delete" ? null : { username, type, node };
  const review = () =>
    void navigate({
      to: "/manager/updatepeer/$type",
      params: { type },
      search: { step: "confirmDetails", ...(type === "edit" && { node }) },
    });
  return (
    <RunningDeployment
      key={taskID}
      username={username}
      type={type}
      node={node}
      taskID={taskID}
      onReview={draft && readDraft(queryClient, draft) ? review : undefined}
    />
  );
}
