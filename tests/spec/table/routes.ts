import type { Row } from "./row.ts";

/** Routing, the main layout, Home and Not found. */
export const routeRows = [
  {
    id: "routing-history",
    section: 2,
    says: "Routing uses browser history paths.",
    browser: "navigation: the browser's back and forward",
  },
  {
    id: "routing-refresh",
    section: 2,
    says: "Before every navigation the authentication state is refreshed.",
    reading:
      "It is checked before each navigation. With a known login session the screen does not wait for the response, and is left if the login session has ended.",
    browser: "navigation: the browser's back",
  },
  {
    id: "routing-protected",
    section: 2,
    says: "A protected route with an unauthenticated user redirects to /login: /manager",
    reading: "The search parameter `from` contains the address to return to; /manager needs none.",
  },
  { id: "routing-unknown", section: 2, says: "Any unknown path redirects to /not-found." },
  {
    id: "routing-unknown-file",
    section: 2,
    says: "Any unknown path redirects to /not-found.",
    reading: "Those with a dot too. A missing file is 404 for everything that is not a navigation.",
    browser: "navigation: the server decides which paths are files",
  },
  { id: "route-home", section: 2, says: "/: public, main layout" },
  { id: "route-not-found", section: 2, says: "/not-found: public, main layout. Text '404 not found :('." },
  {
    id: "route-login",
    section: 2,
    says: "/login: public, plain centred layout",
    browser: "layout: main is centred",
  },
  {
    id: "route-register",
    section: 2,
    says: "/register: public, plain centred layout",
    browser: "layout: main is centred",
  },
  {
    id: "route-set-password",
    section: 2,
    says: "/setPassword: public, plain centred layout",
    browser: "layout: main is centred",
  },
  {
    id: "route-forgot-password",
    section: 2,
    says: "/forgotPassword: public, plain centred layout",
    browser: "layout: main is centred",
  },
  {
    id: "route-updatepeer",
    section: 2,
    says: "/manager/updatepeer/:type (new, edit, delete): login required",
  },
  { id: "layout-nav-home", section: 2, says: "nav button Home" },
  {
    id: "layout-nav-active",
    section: 2,
    says: "the active one is highlighted",
    browser: "layout: the computed colour of the active link",
  },
  {
    id: "home-text",
    section: 2,
    says: "Explanatory text about the network. Part of a community project with VPN tunnels and peering via BGP. Nodes are virtual machines in several world regions. IPv4 and IPv6 are both supported. Only WireGuard tunnels are supported. BGP runs on an open-source routing daemon. A recursive DNS server, a BGP looking glass reachable only inside the network, an uptime monitor. Header with title, subtitle",
    reading: "The wording is Peerdeck's.",
  },
  { id: "home-manager-button", section: 2, says: "a button 'Go to Peering Manager' leading to /manager" },
  {
    id: "roles-anonymous",
    section: 6,
    says: "Anonymous: Home, Status, Map, About, Login, Register, Set password, Forgot password.",
  },
  {
    id: "roles-authenticated",
    section: 6,
    says: "Authenticated as an ASN: the manager and wizard, in the manager wrapper.",
  },
  {
    id: "roles-others",
    section: 6,
    says: "Other roles (such as an administrator): not shown.",
    reading: "There are none: every login session belongs to a participant, and other paths do not exist.",
  },
  {
    id: "participants-can",
    section: 1,
    says: "Signed-in participants can: create a peering, view its status, inspect details, troubleshoot, edit or delete it, see statistics, and contact support.",
  },
] as const satisfies readonly Row[];
