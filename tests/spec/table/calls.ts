import type { Row } from "./row.ts";

/** Section 7 as it arrives at the server: method, path with its slash, body, credentials. */
export const callRows = [
  { id: "call-login", section: 7, says: "POST /api/login/ {username, password}" },
  {
    id: "call-auth-status-answer",
    section: 7,
    says: "isAuthenticated, username; failure means not logged in",
  },
  {
    id: "calls-session",
    section: 7,
    says: "GET /api/auth-status/ none, POST /api/getPeerStatus {username}, POST /api/logout/ empty",
  },
  { id: "call-verification", section: 7, says: "POST /api/sendEmailVerification {asn}" },
  {
    id: "call-verification-reset",
    section: 7,
    says: "POST /api/sendEmailVerification {asn, password_reset}",
  },
  { id: "call-set-password", section: 7, says: "POST /api/setPassword {token, password}" },
  { id: "calls-nodes", section: 7, says: "POST /api/getPeeredNodes and /api/getNodesList {username}" },
  {
    id: "calls-update",
    section: 7,
    says: "POST /api/updatePeerConfig two-item array: [{username}, peer update payload]; POST /api/getTaskStatus/ {username, taskID} with a no-cache header",
  },
  {
    id: "calls-delete",
    section: 7,
    says: "POST /api/checkPeerDeletionValidity and /api/deletePeer {username, node}",
  },
  {
    id: "calls-peering",
    section: 7,
    says: "POST /api/getNodeStatus, /api/getPeerConfig and /api/getNodeConfig {username, node}",
  },
  {
    id: "calls-credentials",
    section: 7,
    says: "All calls send credentials.",
    browser: "cookies: the browser attaches them",
  },
  {
    id: "roles-credentials",
    section: 6,
    says: "Every call carries the username and sends credentials (cookies).",
    browser: "cookies: the browser attaches them",
  },
  {
    id: "roles-scoping",
    section: 6,
    says: "Whether the server enforces that scoping is not shown.",
    reading: "The login session determines the actor: another username in the body is always rejected (403).",
  },
] as const satisfies readonly Row[];
