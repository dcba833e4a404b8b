import { expect } from "vitest";
import { provider } from "../../src/mocks/provider.ts";
import { addPeering } from "../../src/mocks/samples.ts";
import { participant } from "../../src/mocks/state.ts";
import { type RowVisit, testRows } from "./rows.ts";
import { arrivedAt, heading, seen, text } from "./seeing.ts";
import { nodeStatusRows } from "./table/node-status.ts";

const host = "https://grafana.example.org";

async function openPanels({ page, backend }: RowVisit): Promise<void> {
  await page.route(`${host}/**`, (route) => route.fulfill({ contentType: "text/html", body: "panel" }));
  addPeering(backend.state);
  addPeering(backend.state, { node: "de01" });
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
    "node-panels-drawn": async ({ page, backend }) => {
      addPeering(backend.state);
      await page.goto("/manager?view=nodes");
      for (const title of ["Node CPU usage", "Node memory usage", `syd01 - iface AS${participant.asn}`]) {
        const panel = page.getByRole("region", { name: title, exact: true });
        await seen(panel.getByText("last 3 hours", { exact: true }), panel.getByRole("img"));
      }
      expect(await page.locator("iframe").count()).toBe(0);
    },
    "node-panels-hours": async (visit) => {
      await openPanels(visit);
      const frames = visit.page.locator("iframe");
      const sources = await frames.evaluateAll((all) => all.map((each) => each.getAttribute("src")));
      expect(sources).toEqual([
        expect.stringContaining("from=now-3h&to=now"),
        expect.stringContaining("from=now-3h&to=now"),
        expect.stringContaining("from=now-3h&to=now"),
        expect.stringContaining("from=now-3h&to=now"),
      ]);
      await seen(text(visit.page, "The last 3 hours."));
    },
    "node-interface-panel": async (visit) => {
      await openPanels(visit);
      for (const node of ["syd01", "de01"]) {
        await seen(heading(visit.page, `${node} - iface AS${participant.asn}`));
      }
      expect(await visit.page.getByRole("heading", { name: / - iface AS/ }).count()).toBe(2);
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
