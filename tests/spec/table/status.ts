import type { Row } from "./row.ts";

export const statusRows = [
  { id: "route-status", section: 2, says: "/status: public, main layout" },
  { id: "layout-nav-status", section: 2, says: "nav button Status" },
  {
    id: "status-frame",
    section: 2,
    says: "An embedded hosted uptime-monitor status page",
    reading: "The provider's page where the profile names one.",
    browser: "frames: the hosted page's content",
  },
  {
    id: "status-own",
    section: 2,
    says: "An embedded hosted uptime-monitor status page: where there is none",
    reading: "Without a page in the profile the server's own monitor shows every node.",
  },
  { id: "status-scripts", section: 2, says: "scripts allowed" },
  { id: "status-height", section: 2, says: "800 px high", browser: "layout: the height of the frame" },
  {
    id: "status-height-constant",
    section: 9,
    says: "Status iframe height 800 px.",
    browser: "layout: the height of the frame",
  },
] as const satisfies readonly Row[];
