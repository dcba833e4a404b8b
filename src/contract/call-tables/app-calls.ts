import * as v from "valibot";
import { type Call, defineCalls } from "../call.ts";
import * as e from "../entities.ts";
import { nodeHistories } from "../history.ts";
import * as lenient from "../lenient.ts";
import { historyCalls } from "./history-calls.ts";
import { peeringCalls } from "./peering-calls.ts";
import { pushSettings, pushSubscription } from "../push.ts";

/**
 * The calls that the app loads with its first screen. The paths of section 7 of the specification are among them. Calls of
 * single screens come with those screens.
 */
export const calls = defineCalls({
  login: {
    method: "POST",
    path: "/api/login/",
    access: "public",
    body: v.object({ username: e.username, password: v.string() }),
    response: e.emptyResponse,
    accepted: lenient.anyBody,
  },
  authStatus: {
    method: "GET",
    path: "/api/auth-status/",
    access: "public",
    cached: true,
    body: null,
    response: e.authStatus,
    accepted: lenient.authStatus,
  },
  logout: {
    method: "POST",
    path: "/api/logout/",
    access: "public",
    body: null,
    response: e.emptyResponse,
    accepted: lenient.anyBody,
  },
  sendEmailVerification: {
    method: "POST",
    path: "/api/sendEmailVerification",
    access: "public",
    body: v.object({ asn: e.asn, password_reset: v.optional(v.literal("Yes")) }),
    response: e.sentMail,
    accepted: lenient.sentMail,
  },
  setPassword: {
    method: "POST",
    path: "/api/setPassword",
    access: "public",
    body: v.object({ token: v.string(), password: v.string() }),
    response: e.emptyResponse,
    accepted: lenient.anyBody,
  },
  mapVPNStatus: {
    method: "GET",
    path: "/api/mapVPNStatus",
    access: "public",
    cached: true,
    body: null,
    response: v.array(e.connection),
    accepted: v.array(lenient.connection),
  },
  getPeeredNodes: {
    method: "POST",
    path: "/api/getPeeredNodes",
    access: "participant",
    cached: true,
    body: e.usernameBody,
    response: v.array(v.string()),
  },
  getNodesList: {
    method: "POST",
    path: "/api/getNodesList",
    access: "participant",
    cached: true,
    body: e.usernameBody,
    response: v.array(v.object({ name: v.string() })),
    accepted: lenient.nodesList,
  },
  ...peeringCalls,
  getNodeStatus: {
    method: "POST",
    path: "/api/getNodeStatus",
    access: "participant",
    cached: true,
    body: e.peeringBody,
    response: v.object({ results: e.nodeStatus }),
    accepted: v.object({ results: lenient.nodeStatus }),
  },
  submitContactForm: {
    method: "POST",
    path: "/api/submitContactForm",
    access: "participant",
    body: v.object({ username: e.username, name: v.string(), email: v.string(), message: v.string() }),
    response: e.emptyResponse,
    accepted: lenient.anyBody,
  },
  getNodeHistories: {
    method: "GET",
    path: "/api/getNodeHistories",
    access: "public",
    optional: true,
    cached: true,
    hasEtag: true,
    body: null,
    response: nodeHistories,
    accepted: lenient.nodeHistories,
  },
  ...historyCalls,
  getPushSettings: {
    method: "POST",
    path: "/api/getPushSettings",
    access: "participant",
    optional: true,
    body: e.usernameBody,
    response: pushSettings,
  },
  savePushSubscription: {
    method: "POST",
    path: "/api/savePushSubscription",
    access: "participant",
    optional: true,
    body: pushSubscription,
    response: e.emptyResponse,
  },
  deletePushSubscription: {
    method: "POST",
    path: "/api/deletePushSubscription",
    access: "participant",
    optional: true,
    body: e.usernameBody,
    response: e.emptyResponse,
  },
  provider: {
    method: "GET",
    path: "/provider.json",
    access: "public",
    optional: true,
    cached: true,
    body: null,
    response: e.provider,
    accepted: lenient.provider,
  },
} satisfies Record<string, Call>);
