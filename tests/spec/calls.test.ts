import { expect } from "vitest";
import { addPeering } from "../../src/mocks/samples.ts";
import { participant } from "../../src/mocks/state.ts";
import { fill, next, submit } from "../e2e/wizard.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
import { arrivedAt, button, heading, seen, text } from "./seeing.ts";
import { callRows } from "./table/calls.ts";
import { openConfirm } from "./wizard-steps.ts";

const username = participant.asn;
const onNode = { username, node: "syd01" };

type Visit = (visit: RowVisit) => Promise<void>;

/** What the call on this path was, once the visit has made it. */
const sends =
  (method: string, path: string, body: unknown, visit: Visit): RowTest =>
  async (opened) => {
    await visit(opened);
    const on = () => opened.backend.received().filter((call) => call.path === path);
    await expect.poll(() => on().length).toBeGreaterThan(0);
    expect(opened.backend.anonymous()).toEqual([]);
    for (const call of on()) {
      expect([call.method, call.body]).toEqual([method, body]);
      if (body !== undefined) expect(call.header("content-type")).toBe("application/json");
    }
  };

const signOut: Visit = async ({ backend }) => {
  backend.state.signedIn = null;
};

const openPeering =
  (address: string): Visit =>
  async ({ page, backend }) => {
    addPeering(backend.state);
    await page.goto(address);
  };

const deletes: Visit = async (visit) => {
  await openPeering("/manager/updatepeer/delete?node=syd01")(visit);
  await button(visit.page, "Yes").click();
  await seen(text(visit.page, "mock-2"));
};

const updates: Visit = async ({ page }) => {
  await openConfirm(page);
  await submit(page);
  await seen(text(page, "mock-1"));
};

const asks =
  (path: string): Visit =>
  async ({ page }) => {
    await page.goto(path);
    await fill(page, { ASN: username });
    await button(page, "Next").click();
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

const carriesWhoAndCredentials: RowTest = async (visit) => {
  const { page, backend } = visit;
  await openPeering("/manager?node=syd01&tab=edit")(visit);
  await seen(heading(page, "Current configuration"));
  await page.goto("/manager?node=syd01");
  await page.goto("/manager/updatepeer/edit?node=syd01");
  await next(page);
  await next(page);
  await submit(page);
  await seen(text(page, "mock-2"));
  const polls = () => [...backend.received("getTaskStatus"), ...backend.anonymous()];
  await expect.poll(() => polls().length).toBeGreaterThan(0);
  expect(backend.anonymous()).toEqual([]);
  const posts = backend.received().filter(({ method }) => method === "POST");
  expect(new Set(posts.map(({ path }) => path)).size).toBeGreaterThan(4);
  for (const { path, body } of posts) {
    const [whose] = Array.isArray(body) ? (body as readonly unknown[]) : [body];
    expect([path, whose]).toEqual([path, expect.objectContaining({ username })]);
  }
};

testRows(
  callRows,
  {
    "call-login": sends("POST", "/api/login/", { username, password: "password" }, async (visit) => {
      await signOut(visit);
      await visit.page.goto("/login");
      await fill(visit.page, { ASN: username, Password: "password" });
      await button(visit.page, "Login").click();
    }),
    "call-auth-status": sends("GET", "/api/auth-status/", undefined, async ({ page }) => {
      await page.goto("/");
    }),
    "call-auth-status-answer": async ({ page, backend }) => {
      backend.reply("authStatus", { isAuthenticated: true, username: "4242420777" });
      await page.goto("/manager");
      await seen(page.getByRole("banner").getByText("AS4242420777", { exact: true }));
      backend.refuse("authStatus", 401, { message: "Sign in first." });
      await page.goto("/manager");
      await arrivedAt(page, "/login");
    },
    "call-logout": sends("POST", "/api/logout/", undefined, async ({ page }) => {
      await page.goto("/manager");
      await button(page, "Logout").click();
    }),
    "call-verification": sends("POST", "/api/sendEmailVerification", { asn: username }, asks("/register")),
    "call-verification-reset": sends(
      "POST",
      "/api/sendEmailVerification",
      { asn: username, password_reset: "Yes" },
      asks("/forgotPassword"),
    ),
    "call-set-password": sends(
      "POST",
      "/api/setPassword",
      { token: "a-token", password: "x y" },
      async ({ page }) => {
        await page.goto("/setPassword?token=a-token");
        await fill(page, { Password: "x y", "Confirm password": "x y" });
        await submit(page);
      },
    ),
    "call-peered-nodes": sends("POST", "/api/getPeeredNodes", { username }, async ({ page }) => {
      await page.goto("/manager/updatepeer/new");
    }),
    "call-nodes-list": sends("POST", "/api/getNodesList", { username }, async ({ page }) => {
      await page.goto("/manager/updatepeer/new");
    }),
    "call-update": sends("POST", "/api/updatePeerConfig", [{ username }, update], updates),
    "call-delete": sends("POST", "/api/deletePeer", onNode, deletes),
    "call-task-status": sends("POST", "/api/getTaskStatus/", { username, taskID: "mock-1" }, updates),
    "call-task-no-cache": async (visit) => {
      await updates(visit);
      const polls = () => visit.backend.received("getTaskStatus");
      await expect.poll(() => polls().length).toBeGreaterThan(0);
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
    "call-peer-status": sends("POST", "/api/getPeerStatus", { username }, async ({ page }) => {
      await page.goto("/manager");
    }),
    "call-node-status": sends("POST", "/api/getNodeStatus", onNode, openPeering("/manager?node=syd01")),
    "calls-credentials": carriesWhoAndCredentials,
    "roles-credentials": carriesWhoAndCredentials,
    "roles-scoping": async ({ page, backend }) => {
      await page.goto("/manager");
      await seen(heading(page, "Dashboard"));
      const asked = await page.evaluate(async () => {
        const response = await fetch("/api/getPeerStatus", {
          method: "POST",
          body: JSON.stringify({ username: "4242420002" }),
        });
        return response.status;
      });
      expect([asked, backend.state.signedIn]).toEqual([403, username]);
    },
  },
  { signedIn: true },
);
