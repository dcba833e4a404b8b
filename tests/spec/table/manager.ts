import type { Rows } from "./row.ts";

/** The manager wrapper and the dashboard. */
export const managerRows = {
  "manager-heading": {
    section: 2,
    says: "Heading: the provider's name followed by 'Peering Manager'; subtitle 'Manage your own connections to the {product} network.' (with the provider's name); the header shows the logged-in username and the network's own ASN, AS4242422227; the menu 'AS' plus the username and a Logout button.",
  },
  "manager-toggle": { section: 2, says: "A '=' button toggles a side menu" },
  "logout-home": {
    section: 2,
    says: "Logout ends the session and goes to / (one view sends the user to /login instead)",
    reading: "Logout goes to /.",
  },
  "logout-failed": {
    section: 4,
    says: "local state is cleared only if the server call succeeds. Logout failure: only logged.",
    reading:
      "To the console, besides the notice. A failed call is one with an error response: the participant stays logged in, and a notice says so. 401 is a success, because there is no login session to end.",
  },
  "logout-no-response": {
    section: 4,
    says: "local state is cleared only if the server call succeeds",
    reading:
      "Deviation: without a response in five seconds the device clears its data, and the server is called again until it has ended the login session. A shared device without a connection must not stay logged in.",
  },
  "auth-check-failed": {
    section: 4,
    says: "Auth returns to unauthenticated when the status check fails.",
    reading: "An error response counts as logged out.",
  },
  "auth-check-no-answer": {
    section: 8,
    says: "Failed auth-status check: treated as not logged in.",
    reading: "Without a response a known login session stays; without one the participant is logged out.",
  },
  "dashboard-loader": { section: 2, says: "a loader while loading" },
  "fetch-failed": {
    section: 8,
    says: "Fetch failures for lists, status and config: only logged, no user message.",
    reading: "A message in the place of what is missing offers to retry.",
  },
  "dashboard-empty": {
    section: 2,
    says: "\"You don't appear to have any peerings yet. Try out the 'Create new peering' button above to get started!\"",
  },
  "dashboard-deploying": {
    section: 2,
    says: "a status bubble: during a deployment",
    reading: "The last state that the node reported, with a link to the deployment beside it.",
  },
  "dashboard-view": {
    section: 2,
    says: "A 'Create new peering' button leads to the wizard with type new. 'Current peerings' list: each peering shows 'node: {node}' plus the provider's domain suffix, with a View button, which selects the node and opens the peer overview with a back arrow and the node title.",
  },
  "bubble-classes": {
    section: 2,
    says: "Bubble classes: good for OK, issues for Issues, down otherwise",
    reading:
      "The status of a peering is one word: Down if the tunnel or BGP is down, Issues if there is an issue, OK otherwise.",
  },
  "roles-own": { section: 6, says: "A user manages only their own peerings." },
  "domain-suffix": { section: 9, says: "Node names are shown with the provider's domain suffix." },
} as const satisfies Rows;
