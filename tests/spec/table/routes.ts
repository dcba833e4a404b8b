import type { Rows } from "./row.ts";

/** Routing, roles, and the public screens. */
export const routeRows = {
  1: {
    "participants-can":
      "Signed-in participants can: create a peering, view its status, inspect details, troubleshoot, edit or delete it, see statistics, and contact support. Peer overview: four tabs; side menu: Dashboard, Node Status, Stats, Contact (Reading: Node Status, Stats and Contact are views of /manager: ?view=nodes, stats and contact.)",
  },
  2: {
    "routing-protected":
      "A protected route with an unauthenticated user redirects to /login: /manager, /manager/updatepeer/:type (new, edit, delete) (Reading: The search parameter `from` contains the address to return to; /manager needs none.)",
    "routing-unknown":
      "Any unknown path redirects to /not-found. Other roles (such as an administrator): not shown. (Reading: There are none: every login session belongs to a participant, and other paths do not exist.)",
    "home-text":
      "Explanatory text about the network. Part of a community project with VPN tunnels and peering via BGP. Nodes are virtual machines in several world regions. IPv4 and IPv6 are both supported. Only WireGuard tunnels are supported. BGP runs on an open-source routing daemon. A recursive DNS server, a BGP looking glass reachable only inside the network, an uptime monitor. Header with title, subtitle; a link to the map; a button 'Go to Peering Manager' leading to /manager (Reading: The wording is Peerdeck's.)",
    "about-sections":
      "/about: sections Nodes/Routers, Infrastructure Management and Services. It mentions the DNS server (resolver address {ip}) and the looking glass",
    "status-own":
      "An embedded hosted uptime-monitor status page: where there is none (Reading: Without a page in the profile the server's own monitor shows every node.)",
  },
  6: {
    "roles-anonymous":
      "Anonymous: Home, Status, Map, About, Login, Register, Set password, Forgot password. /, /status, /map, /about, /not-found (text '404 not found :('): public, main layout",
    "roles-authenticated": "Authenticated as an ASN: the manager and wizard, in the manager wrapper.",
  },
} as const satisfies Rows;
