import type { Rows } from "./row.ts";

/** The provider's own dashboards in frames. */
export const panelRows = {
  "node-panels": {
    section: 9,
    says: "Two embedded dashboard panels (node CPU usage and node memory usage); for each peered node a panel titled '{node} - iface AS{username}'. Panels load from the provider's own host by node and AS variables; they cover the last 3 hours: Node Status.",
    reading: "The app adds Grafana's parameters to an address that has no time range.",
  },
  "stats-panel": {
    section: 2,
    says: "One embedded panel 'Total routes'. Dashboard panels cover the last 3 hours.",
  },
} as const satisfies Rows;
