import type { QueryClient } from "@tanstack/react-query";
import { createFileRoute, redirect } from "@tanstack/react-router";
import * as v from "valibot";
import { settleWithin } from "../../../browser-storage/timeout.ts";
import { calls } from "../../../contract/calls.ts";
import { CallError } from "../../../contract/client.ts";
import { deploymentTypes, wizardSteps } from "../../../contract/screens.ts";
import { call } from "../../api/client.ts";
import { nodesListQuery, peeredNodesQuery } from "../../api/peering-queries.ts";
import { loaderTimeoutMs } from "../../api/query-client.ts";
import { DeploymentScreen } from "../../features/peerings/deployment/deployment-screen.tsx";
import { peerConfigQuery } from "../../features/peerings/queries.ts";
import { DeleteStep } from "../../features/peerings/wizard/delete-step.tsx";
import { CreatePeering, EditPeering } from "../../features/peerings/wizard/peering-wizard.tsx";
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
      // Not a static import: loaders are part of the first bundle, the rules for the form belong to the wizard.
      const { loadPeeringDraft } = await import("../../features/peerings/wizard/peering-draft.ts");
      await loadPeeringDraft(queryClient, { username, type, node });
    }
    if (task !== undefined) return;
    if (type === "new") {
      await settleWithin(
        loaderTimeoutMs,
        queryClient.prefetchQuery(nodesListQuery(username)),
        queryClient.prefetchQuery(peeredNodesQuery(username)),
      );
    }
    if (type === "edit") await loadConfig(queryClient, username, node);
    if (type === "delete") await checkDeletion(username, node);
  },
  // The loader runs when the wizard is opened, not on every step.
  staleTime: Infinity,
  gcTime: 0,
  preload: false,
  component: Wizard,
});

function notFound() {
  return redirect({ to: "/not-found", replace: true });
}

/** Loads the configuration to edit. Redirects if there is no such peering; the form shows other errors. */
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
  if (task !== undefined) {
    return <DeploymentScreen key={task} username={username} type={type} node={node} taskID={task} />;
  }
  switch (type) {
    case "new":
      return <CreatePeering username={username} requestedStep={step} />;
    case "edit":
      return <EditPeering key={node} username={username} node={node} requestedStep={step} />;
    case "delete":
      return <DeleteStep username={username} node={node} />;
  }
}
