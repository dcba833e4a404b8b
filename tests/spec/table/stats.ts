import type { Row } from "./row.ts";

export const statsRows = [
  {
    id: "manager-menu-stats",
    section: 2,
    says: "side menu: Stats",
    reading: "A view of /manager: ?view=stats.",
  },
  { id: "stats-panel", section: 2, says: "One embedded panel 'Total routes'." },
  {
    id: "stats-drawn",
    section: 2,
    says: "One embedded panel 'Total routes': where there is no dashboard",
    reading:
      "Without a dashboard in the profile the app draws the panel itself, one chart per address family.",
    browser: "layout: a chart is drawn when it has a width",
  },
  { id: "stats-three-hours", section: 9, says: "Dashboard panels cover the last 3 hours." },
] as const satisfies readonly Row[];
