import type { AppTab } from "../../support/app-tab.tsx";
import type { Backend } from "../../support/scripted-backend.ts";
import { status } from "../scenarios/overview.ts";
import { expectShown, region } from "./screen.ts";

/** Opens the tab Status of a peering on syd01 with this status, in any format. */
export async function openStatus(app: AppTab, backend: Backend, shown: unknown = status): Promise<void> {
  backend.reply("getPeerStatus", [shown]);
  app.open("/manager?node=syd01");
  await expectShown(region("Node"), region("Wireguard"), region("BGP"));
}
