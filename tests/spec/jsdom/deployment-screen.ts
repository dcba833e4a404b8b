/** Ways to the screen of a deployment. */
import type { Task } from "#contract/entities.ts";
import type { DeploymentType } from "#contract/app/screens.ts";
import { addPeering } from "#mocks/samples.ts";
import { replyWithTask } from "../scenarios/deployment.ts";
import type { RowVisit } from "./rows.ts";
import { button, click } from "./screen.ts";

/** Opens the screen of a task with this status. */
export function openTask(
  { app, backend }: RowVisit,
  status: Task["status"],
  type: DeploymentType = "new",
): void {
  app.open(replyWithTask(backend, status, type));
}

/** Confirms a deletion after a change to the backend. */
export async function deleteAfter({ app, backend }: RowVisit, change: () => void): Promise<void> {
  addPeering(backend.state);
  app.open("/manager/updatepeer/delete?node=syd01");
  change();
  await click(button("Yes"));
}
