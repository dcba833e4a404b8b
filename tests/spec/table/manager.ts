import type { Rows } from "./row.ts";

/** The manager wrapper and the dashboard. */
export const managerRows = {
  2: {
    "manager-heading":
      "Heading: the provider's name followed by 'Peering Manager'; subtitle 'Manage your own connections to the {product} network.' (with the provider's name); the header shows the logged-in username and the network's own ASN, AS4242422227; the menu 'AS' plus the username and a Logout button.",
    "manager-toggle": "A '=' button toggles a side menu",
    "logout-home":
      "Logout ends the session and goes to / (one view sends the user to /login instead) (Reading: Logout goes to /.)",
    "dashboard-loader": "a loader while loading",
    "dashboard-empty":
      "\"You don't appear to have any peerings yet. Try out the 'Create new peering' button above to get started!\"",
    "dashboard-deploying":
      "a status bubble: during a deployment (Reading: The last state that the node reported, with a link to the deployment beside it.)",
    "dashboard-view":
      "A 'Create new peering' button leads to the wizard with type new. 'Current peerings' list: each peering shows 'node: {node}' plus the provider's domain suffix, with a View button, which selects the node and opens the peer overview with a back arrow and the node title.",
    "bubble-classes":
      "Bubble classes: good for OK, issues for Issues, down otherwise (Reading: The status of a peering is one word: Down if the tunnel or BGP is down, Issues if there is an issue, OK otherwise.)",
  },
  4: {
    "logout-failed":
      "local state is cleared only if the server call succeeds. Logout failure: only logged. (Reading: To the console, besides the notice. A failed call is one with an error response: the participant stays logged in, and a notice says so. 401 is a success, because there is no login session to end.)",
    "logout-no-response":
      "local state is cleared only if the server call succeeds (Reading: Deviation: without a response in five seconds the device clears its data, and the server is called again until it has ended the login session. A shared device without a connection must not stay logged in.)",
    "auth-check-failed":
      "Auth returns to unauthenticated when the status check fails. (Reading: An error response counts as logged out.)",
  },
  6: {
    "roles-own": "A user manages only their own peerings.",
  },
  8: {
    "auth-check-no-answer":
      "Failed auth-status check: treated as not logged in. (Reading: Without a response a known login session stays; without one the participant is logged out.)",
    "fetch-failed":
      "Fetch failures for lists, status and config: only logged, no user message. (Reading: A message in the place of what is missing offers to retry.)",
  },
  9: {
    "domain-suffix": "Node names are shown with the provider's domain suffix.",
  },
} as const satisfies Rows;
