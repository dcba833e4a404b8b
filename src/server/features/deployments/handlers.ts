import type { Db } from "../../db/open.ts";
import type { Handlers } from "../../http/handlers.ts";
import { Refusal } from "../../http/refusal.ts";
import { findTask, presentTask, unfinishedOfAs } from "./tasks.ts";

export function deploymentHandlers({
  db,
}: {
  readonly db: Db;
}): Pick<Handlers, "getTaskStatus" | "getTasks"> {
  return {
    async getTaskStatus({ taskID }, { asn }) {
      const task = await findTask(db, asn, taskID);
      if (!task) throw new Refusal(404, { message: `AS${asn} has no such deployment.`, field: "taskID" });
      return presentTask(task);
    },
    async getTasks(_body, { asn }) {
      const tasks = await unfinishedOfAs(db, asn);
      return tasks.map(presentTask);
    },
  };
}
