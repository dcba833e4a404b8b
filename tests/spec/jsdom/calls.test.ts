import { expect } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
import { callRows } from "../table/calls.ts";
import { banner, button, click, expectAddress, expectShown, fill, heading, submit, text } from "./screen.ts";
import { openConfirm } from "./wizard.ts";
import { waitFor } from "../../support/wait-for.ts";

const username = participant.asn;
const onNode = { username, node: "syd01" };

type Visit = (visit: RowVisit) => Promise<void>;

/** Expects that the visit makes the call on this path with this method and body. */
const sends =
  (method: string, path: string, body: unknown, visit: Visit): RowTest =>
  async (opened) => {
    await visit(opened);
    const on = () => opened.backend.received().filter((call) => call.path === path);
    await waitFor(() => expect(on().length).toBeGreaterThan(0));
    expect(opened.backend.withoutCredentials()).toEqual([]);
    for (const call of on()) {
      expect([call.method, call.body]).toEqual([method, body]);
      if (body !== undefined) expect(call.header("content-type")).toBe("application/json");
    }
  };

const logOut: Visit = async ({ backend }) => {
  backend.state.loggedInAs = null;
};

const openPeering =
  (address: string): Visit =>
  async ({ app, backend }) => {
    addPeering(backend.state);
    app.open(address);
  };

const deletes: Visit = async (visit) => {
  await openPeering("/manager/updatepeer/delete?node=syd01")(visit);
  await click(button("Yes"));
  await expectShown(text("mock-2"));
  await firstPoll(visit);
};

const updates: Visit = async (visit) => {
  await openConfirm(visit.app);
  await submit();
  await expectShown(text("mock-1"));
  await firstPoll(visit);
};

/** A poll that is sent but not received would reach the backend of the next row. */
const firstPoll: Visit = ({ backend }) =>
  waitFor(() => expect(backend.received("getTaskStatus").length).toBeGreaterThan(0));

const requestsMail =
  (path: string): Visit =>
  async ({ app }) => {
    app.open(path);
    await fill({ ASN: username });
    await click(button("Next"));
  };

const update = {
  node: "syd01",
  address_family: "IPv4",
  bgp_extnh: "No",
  remote_ip: "router.example.org",
  remote_port: "51820",
  peer_ipv4: "172.20.201.1",
  peer_ipv6: "",
  local_ipv6: "",
  public_key: "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=",
  generation: 0,
};

testRows(
  callRows,
  {
    "call-login": sends("POST", "/api/login/", { username, password: "password" }, async (visit) => {
      await logOut(visit);
      visit.app.open("/login");
      await fill({ ASN: username, Password: "password" });
      await click(button("Login"));
    }),
    "call-auth-status": sends("GET", "/api/auth-status/", undefined, async ({ app }) => {
      app.open("/");
    }),
    "call-auth-status-answer": async ({ app, backend }) => {
      backend.reply("authStatus", { isAuthenticated: true, username: "4242420777" });
      app.open("/manager");
      await expectShown(text("AS4242420777", banner));
      backend.refuse("authStatus", 401, { message: "Log in first." });
      app.open("/manager");
      await expectAddress(app, "/login");
    },
    "call-logout": sends("POST", "/api/logout/", undefined, async ({ app }) => {
      app.open("/manager");
      await click(button("Logout"));
    }),
    "call-verification": sends(
      "POST",
      "/api/sendEmailVerification",
      { asn: username },
      requestsMail("/register"),
    ),
    "call-verification-reset": sends(
      "POST",
      "/api/sendEmailVerification",
      { asn: username, password_reset: "Yes" },
      requestsMail("/forgotPassword"),
    ),
    "call-set-password": sends(
      "POST",
      "/api/setPassword",
      { token: "a-token", password: "x y" },
      async ({ app }) => {
        app.open("/setPassword?token=a-token");
        await fill({ Password: "x y", "Confirm password": "x y" });
        await submit();
      },
    ),
    "call-peered-nodes": sends("POST", "/api/getPeeredNodes", { username }, async ({ app }) => {
      app.open("/manager/updatepeer/new");
    }),
    "call-nodes-list": sends("POST", "/api/getNodesList", { username }, async ({ app }) => {
      app.open("/manager/updatepeer/new");
    }),
    "call-update": sends("POST", "/api/updatePeerConfig", [{ username }, update], updates),
    "call-delete": sends("POST", "/api/deletePeer", onNode, deletes),
    "call-task-status": async (visit) => {
      await updates(visit);
      const polls = visit.backend.received("getTaskStatus");
      // A tab of an earlier row may have told this one about its task.
      expect(polls.map(({ method, path, body }) => [method, path, body])).toContainEqual([
        "POST",
        "/api/getTaskStatus/",
        { username, taskID: "mock-1" },
      ]);
    },
    "call-task-no-cache": async (visit) => {
      await updates(visit);
      const polls = () => visit.backend.received("getTaskStatus");
      await waitFor(() => expect(polls().length).toBeGreaterThan(0));
      expect(polls()[0]?.header("cache-control")).toContain("no-cache");
    },
    "call-peer-config": sends(
      "POST",
      "/api/getPeerConfig",
      onNode,
      openPeering("/manager?node=syd01&tab=edit"),
    ),
    "call-node-config": sends(
      "POST",
      "/api/getNodeConfig",
      onNode,
      openPeering("/manager?node=syd01&tab=edit"),
    ),
    "call-deletion-check": sends(
      "POST",
      "/api/checkPeerDeletionValidity",
      onNode,
      openPeering("/manager/updatepeer/delete?node=syd01"),
    ),
    "call-peer-status": sends("POST", "/api/getPeerStatus", { username }, async ({ app }) => {
      app.open("/manager");
    }),
    "call-node-status": sends("POST", "/api/getNodeStatus", onNode, openPeering("/manager?node=syd01")),
    "roles-scoping": async ({ app, backend }) => {
      app.open("/manager");
      await expectShown(heading("Dashboard"));
      const response = await fetch("/api/getPeerStatus", {
        method: "POST",
        body: JSON.stringify({ username: "4242420002" }),
      });
      expect([response.status, backend.state.loggedInAs]).toEqual([403, username]);
    },
  },
  { isLoggedIn: true },
);
