import type { Row } from "./row.ts";

export const aboutRows = [
  { id: "route-about", section: 2, says: "/about: public, main layout" },
  { id: "layout-nav-about", section: 2, says: "nav button About" },
  { id: "about-nodes", section: 2, says: "Section Nodes/Routers" },
  { id: "about-management", section: 2, says: "Section Infrastructure Management" },
  { id: "about-services", section: 2, says: "Section Services" },
  { id: "about-resolver", section: 2, says: "It mentions the DNS server (resolver address {ip})" },
  { id: "about-resolver-constant", section: 9, says: "DNS resolver on About: {ip}." },
  { id: "about-looking-glass", section: 2, says: "and the looking glass" },
] as const satisfies readonly Row[];
