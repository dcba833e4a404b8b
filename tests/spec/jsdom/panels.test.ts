import { expect } from "vitest";
import { provider } from "#mocks/provider.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { testRows } from "./rows.ts";
import { panelRows } from "../table/panels.ts";
import { bySelector, expectCount, expectShown, heading, text } from "./screen.ts";

const host = "https://grafana.example.org";
const frames = bySelector("iframe");
const sources = () => frames().map((each) => each.getAttribute("src"));

testRows(panelRows, {
  "node-panels": async ({ app, backend }) => {
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
    await expectCount(frames, 4);
    expect(sources()).toEqual([
      `${host}/cpu?from=now-3h&to=now&var-node=syd01`,
      `${host}/memory?var-node=syd01&from=now-3h&to=now`,
      `${host}/iface?from=now-3h&to=now&var-node=syd01&var-as=${participant.asn}`,
      `${host}/iface?from=now-3h&to=now&var-node=de01&var-as=${participant.asn}`,
    ]);
    await expectShown(text("The last 3 hours."));
    for (const node of ["syd01", "de01"]) await expectShown(heading(`${node} - iface AS${participant.asn}`));
  },
  "stats-panel": async ({ app, backend }) => {
    const panel = `${host}/routes?from=now-3h&to=now`;
    backend.reply("provider", { ...provider, dashboards: { ...provider.dashboards, total_routes: panel } });
    app.open("/manager?view=stats");
    await expectShown(heading("Total routes"), frames);
    expect(sources()).toEqual([panel]);
  },
});
