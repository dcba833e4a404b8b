import type { Provider } from "../../../contract/entities.ts";

type Dashboards = Provider["dashboards"];

/** Whether a view needs samples, because the provider has no dashboard for at least one of its panels. */
export const drawnViews: Readonly<Record<"nodes" | "stats", (dashboards: Dashboards) => boolean>> = {
  nodes: ({ node_cpu, node_memory, interface: ofInterface }) =>
    [node_cpu, node_memory, ofInterface].includes(""),
  stats: ({ total_routes }) => total_routes === "",
};
