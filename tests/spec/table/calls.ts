import type { Row } from "./row.ts";

/** Section 7 as it arrives at the server: method, path with its slash, body, credentials. */
export const callRows = [
  { id: "call-login", section: 7, says: "POST /api/login/ {username, password}" },
  { id: "call-auth-status", section: 7, says: "GET /api/auth-status/ none" },
  {
    id: "call-auth-status-answer",
    section: 7,
    says: "isAuthenticated, username; failure means not logged in",
  },
  { id: "call-logout", section: 7, says: "POST /api/logout/ empty" },
  { id: "call-verification", section: 7, says: "POST /api/sendEmailVerification {asn}" },
  {
    id: "call-verification-reset",
    section: 7,
    says: "POST /api/sendEmailVerification {asn, password_reset}",
  },
  { id: "call-set-password", section: 7, says: "POST /api/setPassword {token, password}" },
  { id: "call-peered-nodes", section: 7, says: "POST /api/getPeeredNodes {username}" },
  { id: "call-nodes-list", section: 7, says: "POST /api/getNodesList {username}" },
  {
    id: "call-update",
    section: 7,
    says: "POST /api/updatePeerConfig two-item array: [{username}, peer update payload]",
  },
  { id: "call-delete", section: 7, says: "POST /api/deletePeer {username, node}" },
  { id: "call-task-status", section: 7, says: "POST /api/getTaskStatus/ {username, taskID}" },
  { id: "call-task-no-cache", section: 7, says: "getTaskStatus: no-cache header" },
  { id: "call-peer-config", section: 7, says: "POST /api/getPeerConfig {username, node}" },
  { id: "call-node-config", section: 7, says: "POST /api/getNodeConfig {username, node}" },
  { id: "call-deletion-check", section: 7, says: "POST /api/checkPeerDeletionValidity {username, node}" },
  { id: "call-peer-status", section: 7, says: "POST /api/getPeerStatus {username}" },
  { id: "call-node-status", section: 7, says: "POST /api/getNodeStatus {username, node}" },
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
