import type { QueryClient } from "@tanstack/react-query";
import { createFileRoute, redirect } from "@tanstack/react-router";
import * as v from "valibot";
import { deploymentTypes, wizardSteps } from "#contract/app/screens.ts";
import { nodesListQuery, peeredNodesQuery } from "../../api/peering-queries.ts";
import { loadFirstView, loadUnlessCached } from "../../api/query-client.ts";
import { DeploymentScreen } from "../../features/peerings/deployment/deployment-screen.tsx";
import { deletionCheckQuery, peerConfigQuery } from "../../features/peerings/queries.ts";
import { notFoundLink } from "../../features/peerings/screen-links.ts";
import { loadTask } from "../../features/peerings/deployment/task-polling.ts";
import { DeleteStep } from "../../features/peerings/wizard/delete-step.tsx";
import { endpointRoundTripsQuery } from "../../features/peerings/wizard/node-choice/round-trips.ts";
import { loadPeeringDraft } from "../../features/peerings/wizard/peering-draft.ts";
import { CreatePeering, EditPeering } from "../../features/peerings/wizard/peering-wizard.tsx";
import { loadReusablePeerings } from "../../features/peerings/wizard/reuse/reusable-peering.ts";
import { searchParam } from "../../search-param.ts";

const search = v.object({
  node: searchParam(v.string()),
  step: searchParam(v.picklist(wizardSteps)),
  /** The ID of the deployment to show. In the URL, so that its screen can be reloaded and linked to. */
  task: searchParam(v.string()),
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
    if (type !== "delete") {
      await loadPeeringDraft(queryClient, { username, type, node });
    }
    if (task !== undefined) {
      await loadFirstView(loadTask(queryClient, username, { taskID: task, node, type }));
      return;
    }
    if (type === "new") {
      await loadFirstView(
        loadUnlessCached(queryClient, nodesListQuery(username)),
        loadUnlessCached(queryClient, peeredNodesQuery(username)),
        loadUnlessCached(queryClient, endpointRoundTripsQuery(username)),
        ...(node === "" ? [] : [loadReusablePeerings(queryClient, username)]),
      );
    }
    if (type === "edit") await loadConfig(queryClient, username, node);
    if (type === "delete") await checkDeletion(queryClient, username, node);
  },
  // The loader runs when the wizard is opened, not on every step.
  staleTime: Infinity,
  gcTime: 0,
  preload: false,
  component: Wizard,
});

function notFound() {
  return redirect(notFoundLink);
}

/**
 * Loads the configuration to edit, also if it is cached: a form that is filled from an old one ends in a conflict. The
 * form shows errors, and redirects if there is no such peering.
 */
function loadConfig(queryClient: QueryClient, username: string, node: string): Promise<void> {
  return loadFirstView(queryClient.prefetchQuery({ ...peerConfigQuery(username, node), staleTime: 0 }));
}

async function checkDeletion(queryClient: QueryClient, username: string, node: string): Promise<void> {
  try {
    await queryClient.fetchQuery(deletionCheckQuery(username, node));
  } catch {
    // eslint-disable-next-line typescript/only-throw-error -- the router's redirects are thrown responses
    throw notFound();
  }
}

function Wizard() {
  const { username, type } = Route.useRouteContext();
  const { node = "", step, task } = Route.useSearch();
  if (task !== undefined) {
    return <DeploymentScreen key={task} username={username} type={type} node={node} taskID={task} />;
  }
  switch (type) {
    case "new":
      return <CreatePeering username={username} requestedStep={step} chosenNode={node} />;
    case "edit":
      return <EditPeering key={node} username={username} node={node} requestedStep={step} />;
    case "delete":
      return <DeleteStep username={username} node={node} />;
  }
}
