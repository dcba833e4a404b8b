import type { Rows } from "./row.ts";

/** Section 7 as it arrives at the server: method, path with its slash, body, credentials. */
export const callRows = {
  6: {
    "roles-scoping":
      "Whether the server enforces that scoping is not shown. (Reading: The login session determines the actor: another username in the body is always rejected (403).)",
  },
  7: {
    "call-auth-status-answer": "isAuthenticated, username; failure means not logged in",
    "calls-session":
      "GET /api/auth-status/ none, POST /api/getPeerStatus {username}, POST /api/logout/ empty",
    "calls-paths": "Calls: method and path with its slash. The bodies are in the rows of the screens",
    "calls-nodes": "POST /api/getPeeredNodes and /api/getNodesList {username}",
    "calls-update":
      "POST /api/updatePeerConfig two-item array: [{username}, peer update payload]; POST /api/getTaskStatus/ {username, taskID} with a no-cache header",
    "calls-peering": "POST /api/getNodeStatus, /api/getPeerConfig and /api/getNodeConfig {username, node}",
  },
} as const satisfies Rows;
