import { expect } from "vitest";
import { provider } from "#mocks/provider.ts";
import { type RowVisit, testRows } from "./rows.ts";
import { statsRows } from "../table/stats.ts";
import {
  bySelector,
  click,
  expectAddress,
  expectShown,
  heading,
  link,
  navigation,
  readAttribute,
} from "./screen.ts";

const panel = "https://grafana.example.org/routes?from=now-3h&to=now";

async function openPanel({ app, backend }: RowVisit) {
  const dashboards = { ...provider.dashboards, total_routes: panel };
  backend.reply("provider", { ...provider, dashboards });
  app.open("/manager?view=stats");
  await expectShown(heading("Total routes"), bySelector("iframe"));
}

testRows(
  statsRows,
  {
    "manager-menu-stats": async ({ app }) => {
      app.open("/manager");
      await click(link("Stats", navigation("Manager")));
      await expectAddress(app, "/manager?view=stats");
    },
    "stats-panel": async (visit) => {
      await openPanel(visit);
      expect(bySelector("iframe")()).toHaveLength(1);
    },
    "stats-three-hours": async (visit) => {
      await openPanel(visit);
      expect(await readAttribute(bySelector("iframe"), "src")).toBe(panel);
    },
  },
  { isLoggedIn: true },
);
