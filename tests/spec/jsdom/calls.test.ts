import { expect } from "vitest";
import { type CallName, calls } from "#contract/calls.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
import { callRows } from "../table/calls.ts";
import { banner, button, click, expectAddress, expectShown, heading, submit, tab, text } from "./screen.ts";
import { openConfirm } from "./wizard.ts";
import { waitFor } from "../../support/wait-for.ts";

const username = participant.asn;
const onNode = { username, node: "syd01" };

type Visit = (visit: RowVisit) => Promise<void>;

type Call = readonly [method: string, path: string, body: unknown];

/** Expects that the visit makes each of these calls, and none on the same path with another method or body. */
const sends =
  (visit: Visit, ...expected: readonly Call[]): RowTest =>
  async (opened) => {
    await visit(opened);
    for (const [method, path, body] of expected) {
      const on = () => opened.backend.received().filter((call) => call.path === path);
      await waitFor(() => expect([path, on().length]).not.toEqual([path, 0]));
      for (const call of on()) {
        expect([call.method, path, call.body]).toEqual([method, path, body]);
        if (body !== undefined) expect(call.header("content-type")).toBe("application/json");
      }
    }
    expect(opened.backend.withoutCredentials()).toEqual([]);
  };

const updates = async ({ app, backend }: RowVisit) => {
  await openConfirm(app);
  await submit();
  await expectShown(text("mock-1"));
  // A poll that is sent but not received would reach the backend of the next row.
  await waitFor(() => expect(backend.sent("getTaskStatus")).not.toEqual([]));
};

/** The calls of section 7. */
const specified = {
  login: "POST /api/login/",
  authStatus: "GET /api/auth-status/",
  logout: "POST /api/logout/",
  sendEmailVerification: "POST /api/sendEmailVerification",
  setPassword: "POST /api/setPassword",
  mapVPNStatus: "GET /api/mapVPNStatus",
  getPeerStatus: "POST /api/getPeerStatus",
  getNodeStatus: "POST /api/getNodeStatus",
  getPeerDetails: "POST /api/getPeerDetails",
  getPeerConfig: "POST /api/getPeerConfig",
  getNodeConfig: "POST /api/getNodeConfig",
  getNodesList: "POST /api/getNodesList",
  getPeeredNodes: "POST /api/getPeeredNodes",
  updatePeerConfig: "POST /api/updatePeerConfig",
  checkPeerDeletionValidity: "POST /api/checkPeerDeletionValidity",
  deletePeer: "POST /api/deletePeer",
  getTaskStatus: "POST /api/getTaskStatus/",
  troubleshootBGP: "POST /api/troubleshootBGP",
  getPeerReceivedRoutes: "POST /api/getPeerReceivedRoutes",
  getPeerAdvertisedRoutes: "POST /api/getPeerAdvertisedRoutes",
  restartBGPPeer: "POST /api/restartBGPPeer",
  pingCheck: "POST /api/pingCheck",
  submitContactForm: "POST /api/submitContactForm",
} as const satisfies Partial<Record<CallName, string>>;

testRows(callRows, {
  "calls-paths": async ({ app }) => {
    const names = Object.keys(specified) as ReadonlyArray<keyof typeof specified>;
    const written = names.map((name) => [name, `${calls[name].method} ${calls[name].path}`]);
    expect(Object.fromEntries(written)).toEqual(specified);
    app.close();
  },
  "call-auth-status-answer": async ({ app, backend }) => {
    backend.reply("authStatus", { isAuthenticated: true, username: "4242420777" });
    app.open("/manager");
    await expectShown(text("AS4242420777", banner));
    backend.refuse("authStatus", 401, { message: "Log in first." });
    app.open("/manager");
    await expectAddress(app, "/login");
  },
  "calls-session": sends(
    async ({ app }) => {
      app.open("/manager");
      await click(button("Logout"));
    },
    ["GET", "/api/auth-status/", undefined],
    ["POST", "/api/getPeerStatus", { username }],
    ["POST", "/api/logout/", undefined],
  ),
  "calls-nodes": sends(
    async ({ app }) => app.open("/manager/updatepeer/new"),
    ["POST", "/api/getPeeredNodes", { username }],
    ["POST", "/api/getNodesList", { username }],
  ),
  "calls-update": async (visit) => {
    // The payload is in rows of its own.
    const update = [{ username }, expect.objectContaining({ node: "syd01" })];
    await sends(updates, ["POST", "/api/updatePeerConfig", update])(visit);
    const polls = visit.backend.received("getTaskStatus");
    // A tab of an earlier row may have told this one about its task.
    expect(polls.map(({ method, path, body }) => [method, path, body])).toContainEqual([
      "POST",
      "/api/getTaskStatus/",
      { username, taskID: "mock-1" },
    ]);
    expect(polls[0]?.header("cache-control")).toContain("no-cache");
  },
  "calls-peering": sends(
    async ({ app, backend }) => {
      addPeering(backend.state);
      app.open("/manager?node=syd01");
      await click(tab("Edit Peering"));
    },
    ["POST", "/api/getNodeStatus", onNode],
    ["POST", "/api/getPeerConfig", onNode],
    ["POST", "/api/getNodeConfig", onNode],
  ),
  "roles-scoping": async ({ app, backend }) => {
    app.open("/manager");
    await expectShown(heading("Dashboard"));
    const response = await fetch("/api/getPeerStatus", {
      method: "POST",
      body: JSON.stringify({ username: "4242420002" }),
    });
    expect([response.status, backend.state.loggedInAs]).toEqual([403, username]);
  },
});
