import { expect } from "vitest";
import { provider } from "../../src/mocks/provider.ts";
import { addPeering } from "../../src/mocks/samples.ts";
import { participant } from "../../src/mocks/state.ts";
import { type RowVisit, testRows } from "./rows.ts";
import { arrivedAt, heading, seen } from "./seeing.ts";
import { nodeStatusRows } from "./table/node-status.ts";

const host = "https://grafana.example.org";

async function openPanels({ page, backend }: RowVisit): Promise<void> {
  await page.route(`${host}/**`, (route) => route.fulfill({ contentType: "text/html", body: "panel" }));
  addPeering(backend.state);
  const dashboards = {
    node_cpu: `${host}/cpu?from=now-3h&to=now&var-node={node}`,
    node_memory: `${host}/memory?from=now-3h&to=now&var-node={node}`,
    interface: `${host}/iface?from=now-3h&to=now&var-node={node}&var-as={asn}`,
    total_routes: "",
  };
  backend.reply("provider", { ...provider, dashboards });
  await page.goto("/manager?view=nodes&node=syd01");
  await page.locator("iframe").first().waitFor();
}

testRows(
  nodeStatusRows,
  {
    "manager-menu-nodes": async ({ page }) => {
      await page.goto("/manager");
      await page
        .getByRole("navigation", { name: "Manager" })
        .getByRole("link", { name: "Node Status" })
        .click();
      await expect.poll(() => page.url()).toContain("view=nodes");
      await seen(heading(page, "Node Status"));
    },
    "node-panels": async (visit) => {
      await openPanels(visit);
      await seen(visit.page.locator("iframe[src*='/cpu']"), visit.page.locator("iframe[src*='/memory']"));
    },
    "node-interface-panel": async (visit) => {
      await openPanels(visit);
      await seen(heading(visit.page, `syd01 - iface AS${participant.asn}`));
    },
    "node-panels-variables": async (visit) => {
      await openPanels(visit);
      await seen(
        visit.page.locator(
          `iframe[src='${host}/iface?from=now-3h&to=now&var-node=syd01&var-as=${participant.asn}']`,
        ),
      );
      await arrivedAt(visit.page, "/manager?view=nodes&node=syd01");
    },
  },
  { signedIn: true },
);
