import type { Row } from "./row.ts";

export const nodeStatusRows = [
  {
    id: "manager-menu-nodes",
    section: 2,
    says: "side menu: Node Status",
    reading: "A view of /manager: ?view=nodes.",
  },
  {
    id: "node-panels-drawn",
    section: 2,
    says: "Two embedded dashboard panels, last 3 hours: where there is no dashboard",
    reading: "Without a dashboard in the profile the app draws the panels itself from the server's samples.",
    browser: "layout: a chart is drawn when it has a width",
  },
  {
    id: "node-panels",
    section: 9,
    says: "Two embedded dashboard panels (node CPU usage and node memory usage); for each peered node a panel titled '{node} - iface AS{username}'. Panels load from the provider's own host by node and AS variables; they cover the last 3 hours: Node Status.",
    reading: "The app adds Grafana's parameters to an address that has no time range.",
  },
] as const satisfies readonly Row[];
