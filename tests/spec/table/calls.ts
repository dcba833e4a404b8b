import type { Rows } from "./row.ts";

/** Section 7 as it arrives at the server: method, path with its slash, body, credentials. */
export const callRows = {
  "call-auth-status-answer": {
    section: 7,
    says: "isAuthenticated, username; failure means not logged in",
  },
  "calls-session": {
    section: 7,
    says: "GET /api/auth-status/ none, POST /api/getPeerStatus {username}, POST /api/logout/ empty",
  },
  "calls-paths": {
    section: 7,
    says: "Calls: method and path with its slash. The bodies are in the rows of the screens",
  },
  "calls-nodes": { section: 7, says: "POST /api/getPeeredNodes and /api/getNodesList {username}" },
  "calls-update": {
    section: 7,
    says: "POST /api/updatePeerConfig two-item array: [{username}, peer update payload]; POST /api/getTaskStatus/ {username, taskID} with a no-cache header",
  },
  "calls-peering": {
    section: 7,
    says: "POST /api/getNodeStatus, /api/getPeerConfig and /api/getNodeConfig {username, node}",
  },
  "roles-scoping": {
    section: 6,
    says: "Whether the server enforces that scoping is not shown.",
    reading: "The login session determines the actor: another username in the body is always rejected (403).",
  },
} as const satisfies Rows;
