/** A deployment to syd01 that is waiting, or has ended. */
import type { Task } from "#contract/entities.ts";
import type { DeploymentType } from "#contract/app/screens.ts";
import { addPeering } from "#mocks/samples.ts";
import type { Backend } from "../../support/scripted-backend.ts";

export const deploying = "Deploying config, please wait... this could take a couple of minutes...";

export const waiting: Task = {
  status: "waiting",
  taskID: "t-1",
  quip: "Teaching the packets the way …",
  node: "syd01",
  kind: "deploy",
  steps: [],
  reason: "",
  deadline: null,
};

/** Sets the responses about a task with this status, and returns the address of its screen. */
export function replyWithTask(backend: Backend, status: Task["status"], type: DeploymentType): string {
  if (backend.state.peerings.length === 0) addPeering(backend.state);
  backend.reply("getTaskStatus", { ...waiting, status });
  return `/manager/updatepeer/${type}?node=syd01&step=awaitingDeployment&task=t-1`;
}
