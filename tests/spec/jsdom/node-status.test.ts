import { expect } from "vitest";
import { provider } from "#mocks/provider.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { type RowVisit, testRows } from "./rows.ts";
import { nodeStatusRows } from "../table/node-status.ts";
import { bySelector, click, expectShown, findAll, heading, link, navigation, text } from "./screen.ts";
import { waitFor } from "../../support/wait-for.ts";

const host = "https://grafana.example.org";

async function openPanels({ app, backend }: RowVisit): Promise<void> {
  addPeering(backend.state);
  addPeering(backend.state, { node: "de01" });
  const dashboards = {
    node_cpu: `${host}/cpu?from=now-3h&to=now&var-node={node}`,
    node_memory: `${host}/memory?var-node={node}`,
    interface: `${host}/iface?from=now-3h&to=now&var-node={node}&var-as={asn}`,
    total_routes: "",
  };
  backend.reply("provider", { ...provider, dashboards });
  app.open("/manager?view=nodes&node=syd01");
  await findAll(bySelector("iframe"));
}

testRows(
  nodeStatusRows,
  {
    "manager-menu-nodes": async ({ app }) => {
      app.open("/manager");
      await click(link("Node Status", navigation("Manager")));
      await waitFor(() => expect(app.address()).toContain("view=nodes"));
      await expectShown(heading("Node Status"));
    },
    "node-panels": async (visit) => {
      await openPanels(visit);
      const frames = bySelector("iframe");
      const sources = frames().map((each) => each.getAttribute("src"));
      expect(sources).toEqual([
        `${host}/cpu?from=now-3h&to=now&var-node=syd01`,
        `${host}/memory?var-node=syd01&from=now-3h&to=now`,
        `${host}/iface?from=now-3h&to=now&var-node=syd01&var-as=${participant.asn}`,
        `${host}/iface?from=now-3h&to=now&var-node=de01&var-as=${participant.asn}`,
      ]);
      await expectShown(text("The last 3 hours."));
      for (const node of ["syd01", "de01"]) {
        await expectShown(heading(`${node} - iface AS${participant.asn}`));
      }
      expect(heading(/ - iface AS/)()).toHaveLength(2);
    },
  },
  { isLoggedIn: true },
);
