import { describeCalls } from "../call-description.ts";
import { taskID, username } from "./examples.ts";

export const accountDescriptions = describeCalls("Account", {
  getAccount: {
    summary: "The account of this AS, and its deletion if one is running",
    description: "When the AS registered, and the maintainers to which the account belongs.",
  },
  getActivity: {
    summary: "Logins, changes and deployments of this AS, newest first",
    description: "A page of entries. For older ones, send the `next` of the response as `before`.",
    request: { username },
  },
  getLoginSessions: {
    summary: "The login sessions of this AS, the last used one first",
    description: "`id` is what `endLoginSession` takes; it is not the secret of the cookie.",
  },
  endLoginSession: {
    summary: "End one login session of this AS",
    description: "Its next request is refused with 401.",
    errors: { 404: "This AS has no such login session" },
    request: { username, id: "5d41402abc4b2a76" },
  },
  endAllLoginSessions: {
    summary: "End every login session of this AS, that of the caller included",
    description: "For an account that another person may use.",
  },
  changePassword: {
    summary: "Change the password",
    description: "Ends all other login sessions of the AS and renews this one.",
    errors: {
      409: "The password has changed in the meantime",
      422: "The current password is wrong, or the new one is not accepted",
      429: "Too many attempts",
    },
    request: { username, current_password: "…", password: "correct horse battery staple" },
  },
  getApiTokens: {
    summary: "The API tokens of the AS, without their secrets",
    description: "With scope, node, expiry and last use of each.",
  },
  createApiToken: {
    summary: "Create an API token",
    description:
      "`token` of the response is the secret, which no other response contains. An AS has at most 20 tokens.",
    limits: { apiTokenPerAs: "new tokens of an AS" },
    errors: {
      409: "Another token has the name, or there are too many",
      422: "The name is not accepted, or there is no such node",
      429: "Too many new tokens",
    },
    request: { username, name: "Monitoring", scope: "read", node: null, days: 90, ends_with_password: true },
  },
  revokeApiToken: {
    summary: "End an API token",
    description: "Requests with it are refused with 401 at once.",
    errors: { 404: "It has already ended" },
    request: { username, id: "5d41402abc4b2a76" },
  },
  exportAccount: {
    summary: "Everything that the server stores about this AS, without secrets",
    description: "One document of up to some megabytes.",
    limits: { exportPerAs: "exports of an AS" },
    errors: { 429: "Too many exports" },
  },
  deleteAccount: {
    summary: "Remove all peerings of this AS from their nodes, then delete its account",
    description: "Returns a deletion, whose `id` `getAccountDeletion` takes.",
    errors: { 422: "The password is wrong", 429: "Too many attempts" },
    request: { username, password: "…" },
  },
  cancelAccountDeletion: {
    summary: "Keep the account whose deletion is running",
    description: "Peerings that are already removed stay removed.",
    errors: { 404: "No deletion is running" },
  },
  getAccountDeletion: {
    summary: "How far a deletion is, by its ID",
    description: "Works after the account is deleted, for 30 days. Poll it at most every 5 seconds.",
    errors: { 404: "No such deletion" },
    request: { id: taskID },
  },
  submitContactForm: {
    summary: "Send a message to the provider's support",
    description: "The provider replies to the address in `email`. Messages with a private key are refused.",
    limits: { contactPerAs: "messages of an AS" },
    errors: { 422: "A value is invalid", 429: "Too many messages" },
    request: { username, name: "Ada", email: "ada@example.net", message: "When will de01 be back?" },
  },
});
