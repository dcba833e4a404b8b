import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { calls } from "../contract/calls.ts";
import type { PushMessage } from "../contract/push.ts";
import type * as notifications from "./notifications.ts";
import type * as push from "./push.ts";
import { cacheResponse } from "../browser-storage/cached-responses.ts";
import { transact } from "../browser-storage/database.ts";
import { saveAlertsPreference } from "../browser-storage/alerts-preference.ts";
import { setOwner, startLogout } from "../browser-storage/owner.ts";
import { saveTask } from "../browser-storage/stored-tasks.ts";

const one = "4242420001";
const other = "4242420002";

type Message<T> = Extract<PushMessage, { type: T }>;

interface Shown {
  readonly title: string;
  readonly tag?: string;
  readonly data?: unknown;
  readonly silent?: boolean | null;
  readonly renotify?: boolean;
}

interface FakeTab {
  readonly url: string;
  readonly focused?: boolean;
  readonly visibilityState?: string;
  readonly postMessage: ReturnType<typeof vi.fn<(message: unknown) => void>>;
  readonly focus: () => Promise<void>;
}

let shown: Shown[];
let tabs: FakeTab[];
let opened: string[];
let endpoint: string | null;
let requests: { readonly path: string; readonly body: unknown }[];
let pushSettings: unknown;
/** The response to `getPeerStatus`. */
let statuses: { readonly status: number; readonly json: unknown };
let badges: unknown[];
let notify: typeof notifications.notify;
let openFromNotification: typeof notifications.openFromNotification;
let onPush: typeof push.onPush;
let onSubscriptionChange: typeof push.onSubscriptionChange;

beforeEach(async () => {
  [shown, tabs, opened, requests] = [[], [], [], []];
  endpoint = "https://fcm.googleapis.com/fcm/send/abc";
  pushSettings = { publicKey: "server-key", subscription: null };
  [statuses, badges] = [{ status: 200, json: [] }, []];
  vi.stubGlobal("navigator", {
    setAppBadge: async (count: number) => void badges.push(count),
    clearAppBadge: async () => void badges.push("none"),
  });
  vi.stubGlobal("Notification", { permission: "granted" });
  vi.stubGlobal("self", {
    registration: {
      showNotification: async (title: string, options: NotificationOptions) =>
        void shown.push({ title, ...options }),
      pushManager: {
        getSubscription: async () => (endpoint === null ? null : { endpoint }),
        subscribe: async (options: { readonly applicationServerKey: string }) =>
          subscription(`https://push.example.net/${options.applicationServerKey}`),
      },
    },
    clients: {
      matchAll: async () => tabs,
      openWindow: async (path: string) => void opened.push(path),
    },
  });
  vi.stubGlobal("fetch", async (path: string, { body }: { readonly body?: string } = {}) => {
    requests.push({ path, body: body === undefined ? undefined : (JSON.parse(body) as unknown) });
    const { status, json } =
      path === calls.getPushSettings.path ? { status: 200, json: pushSettings } : statuses;
    return new Response(JSON.stringify(json), { status, headers: { "content-type": "application/json" } });
  });
  // Workbox, which the shell is made with, reads `self` when it is imported.
  ({ notify, openFromNotification } = await import("./notifications.ts"));
  ({ onPush, onSubscriptionChange } = await import("./push.ts"));
  await transact("readwrite", undefined, (store) => void store.clear());
  await setOwner(one);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function subscription(url: string) {
  return { toJSON: () => ({ endpoint: url, keys: { p256dh: "key", auth: "secret" } }) };
}

const deployment: Message<"deployment"> = {
  type: "deployment",
  username: one,
  taskID: "7",
  node: "syd01",
  kind: "deploy",
  status: "success",
};
const nodeKey: Message<"nodeKey"> = { type: "nodeKey", username: one, node: "syd01" };
const session: Message<"session"> = { type: "session", username: one, node: "syd01", change: "down", at: 0 };

function click(): Promise<void> {
  const event = { notification: { close: () => {}, data: { path: "/manager?node=syd01" } } };
  return openFromNotification(event as unknown as NotificationEvent);
}

function addTab(path: string, options: Partial<FakeTab> = {}): FakeTab {
  const tab: FakeTab = {
    url: `https://peers.example.net${path}`,
    postMessage: vi.fn<(message: unknown) => void>(),
    focus: () => Promise.reject(new DOMException("No window was focused.", "InvalidAccessError")),
    ...options,
  };
  tabs.push(tab);
  return tab;
}

function receive(json: () => unknown): Promise<void> {
  return onPush({ data: { json } } as unknown as PushEvent);
}

/** The body of the request that saves a subscription on the server. */
function savedSubscription(): unknown {
  return requests.find(({ path }) => path === calls.savePushSubscription.path)?.body;
}

/** The status of a peering that is OK, as the server sends it, with changes. */
function peering(node: string, change: object): object {
  const wg_status = { state: "Up", issues: [], tx: "1 B", rx: "1 B", handshake: "", endpoint: "", loss: "" };
  const well = { node, known: true, bgp_status: "OK", wg_status, latency: "", sessions: [], findings: [] };
  return { ...well, deployment: null, ...change };
}

describe("the outcome of a deployment", () => {
  test("is shown once, also if several report it at the same time", async () => {
    await Promise.all([notify(deployment), notify(deployment, { path: "/manager" }), notify(deployment)]);
    await notify(deployment);
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatchObject({ title: "Deployed to syd01", tag: "7", silent: null, renotify: true });
  });

  test("is shown again in its place, silently, where every push must show something", async () => {
    await notify(deployment);
    await notify(deployment, { showAgain: true });
    expect(shown.map(({ tag, silent, renotify }) => ({ tag, silent, renotify }))).toEqual([
      { tag: "7", silent: null, renotify: true },
      { tag: "7", silent: true, renotify: false },
    ]);
  });

  test("leads to the screen that the page has named", async () => {
    await notify(deployment, { path: "/manager/updatepeer/new?task=7" });
    expect(shown[0]?.data).toEqual({ path: "/manager/updatepeer/new?task=7" });
  });

  test("leads to the screen of the task that this device watches", async () => {
    const task = { username: one, taskID: "7", node: "syd01", isStartedHere: true, startedAt: 0 };
    await saveTask({ ...task, type: "new" });
    await notify(deployment);
    expect(shown[0]?.data).toEqual({
      path: "/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=7",
    });
  });

  test("of an unknown task leads to the screen of its kind", async () => {
    await notify({ ...deployment, kind: "delete" });
    expect(shown[0]).toMatchObject({
      title: "Peering on syd01 deleted",
      data: { path: "/manager/updatepeer/delete?node=syd01&step=awaitingDeployment&task=7" },
    });
  });

  test("names the node with the provider's domain if that is cached", async () => {
    const body = JSON.stringify({ domain: "dn42.example.net" });
    await cacheResponse({ username: null, path: "/provider.json", requestBody: "" }, { body, fetchedAt: 0 });
    await notify({ ...deployment, status: "failed" });
    expect(shown[0]?.title).toBe("Deployment to syd01.dn42.example.net failed");
  });
});

describe("a change of a BGP session", () => {
  test("replaces the previous notification about it, and leaves the one about another node", async () => {
    const body = JSON.stringify({ domain: "dn42.example.net" });
    await cacheResponse({ username: null, path: "/provider.json", requestBody: "" }, { body, fetchedAt: 0 });
    await notify(session);
    await notify({ ...session, change: "up" });
    await notify({ ...session, node: "de01", change: "unsteady" });
    expect(shown).toMatchObject([
      { title: "BGP session on syd01.dn42.example.net is down", tag: "session syd01", renotify: true },
      { title: "BGP session on syd01.dn42.example.net is back", tag: "session syd01", renotify: true },
      { title: "BGP session on de01.dn42.example.net is flapping", tag: "session de01" },
    ]);
    expect(shown[1]?.data).toEqual({ path: "/manager?node=syd01" });
  });
});

test("a new public key of a node opens the configuration, beside a notification about the session", async () => {
  await notify(session);
  await notify(nodeKey);
  expect(shown).toMatchObject([
    { tag: "session syd01" },
    { title: "syd01 has a new public key", tag: "nodeKey syd01" },
  ]);
  expect(shown[1]?.data).toEqual({ path: "/manager?node=syd01&tab=edit" });
});

test.each([
  ["nodeRekey", "syd01 gets a new public key"],
  ["nodeRekeyCancelled", "syd01 keeps its public key"],
  ["nodeKeyReturned", "Tunnel to syd01 switched back"],
] as const)("%s replaces the last notification about the key of the node", async (type, title) => {
  await notify({ type, username: one, node: "syd01" });
  expect(shown).toMatchObject([
    { title, tag: "nodeKey syd01", data: { path: "/manager?node=syd01&tab=edit" } },
  ]);
});

test("a forgotten node opens the dashboard, because its peering is gone", async () => {
  await notify({ type: "nodeForgotten", username: one, node: "syd01" });
  expect(shown).toMatchObject([
    { title: "Peering on syd01 removed", tag: "nodeForgotten syd01", data: { path: "/manager" } },
  ]);
});

describe("nothing is shown", () => {
  test.each(["default", "denied"])("with the permission %s", async (permission) => {
    vi.stubGlobal("Notification", { permission });
    await notify(deployment);
    expect(shown).toEqual([]);
  });

  test("for an AS that is not logged in on this device", async () => {
    await notify({ ...deployment, username: other });
    await notify({ ...session, username: other });
    expect(shown).toEqual([]);
  });
});

describe("a click on a notification", () => {
  test("opens the screen in the focused tab, else in a visible one, even if it cannot be focused", async () => {
    addTab("/");
    const visible = addTab("/status", { visibilityState: "visible" });
    await click();
    expect(visible.postMessage).toHaveBeenCalledWith({ type: "open", path: "/manager?node=syd01" });
    const focused = addTab("/map", { focused: true });
    await click();
    expect(focused.postMessage).toHaveBeenCalledOnce();
    expect(visible.postMessage).toHaveBeenCalledOnce();
    expect(opened).toEqual([]);
  });

  test("opens a window if there is no tab with a screen of the app", async () => {
    const outbox = addTab("/demo/outbox", { focused: true });
    await click();
    expect(outbox.postMessage).not.toHaveBeenCalled();
    expect(opened).toEqual(["/manager?node=syd01"]);
  });
});

describe("a push message", () => {
  test("is shown, and the state of the peerings is fetched for the screen that it opens", async () => {
    await receive(() => session);
    expect(shown).toHaveLength(1);
    expect(requests).toEqual([{ path: "/api/getPeerStatus", body: { username: one } }]);
  });

  test("is shown where the state of the peerings cannot be fetched", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    await receive(() => session);
    expect(shown).toHaveLength(1);
  });

  test.each([
    ["Chrome", "https://fcm.googleapis.com/fcm/send/abc", 1],
    ["Safari", "https://web.push.apple.com/abc", 2],
  ])("that a page has shown before is shown %s's number of times", async (_, pushService, times) => {
    endpoint = pushService;
    await notify(deployment);
    await receive(() => deployment);
    expect(shown).toHaveLength(times);
  });

  test("changes the badge of the app to the number of peerings that are known to need the participant", async () => {
    statuses = {
      status: 200,
      json: [
        peering("ny01", { bgp_status: "Issues" }),
        peering("sin01", { bgp_status: "Down", wg_status: { state: "Down" } }),
        peering("per01", { wg_status: { state: "Up", issues: ["No reply to pings."] } }),
        peering("za01", { wg_status: { state: "Starting" } }),
        peering("de01", {}),
        peering("syd01", { known: false, bgp_status: "Down" }),
        peering("de02", { bgp_status: "Down", deployment: { taskID: "7", kind: "deploy" } }),
        peering("de03", { bgp_status: "Down", findings: [{ code: "session-awaited", facts: {} }] }),
        peering("de04", { bgp_status: "", wg_status: { state: "Starting" } }),
      ],
    };
    await receive(() => session);
    expect(badges).toEqual([4]);
    statuses = { status: 200, json: [peering("ny01", {})] };
    await receive(() => session);
    expect(badges).toEqual([4, "none"]);
  });

  test("leaves the badge where the peerings cannot be read, and clears it when the login session has ended", async () => {
    statuses = { status: 200, json: { message: "another server" } };
    await receive(() => session);
    statuses = { status: 503, json: { message: "Try again later." } };
    await receive(() => session);
    expect(badges).toEqual([]);
    statuses = { status: 401, json: { message: "Not logged in" } };
    await receive(() => session);
    expect(badges).toEqual(["none"]);
  });

  test("for another AS shows nothing and fetches nothing", async () => {
    await receive(() => ({ ...session, username: other }));
    expect({ shown, requests }).toEqual({ shown: [], requests: [] });
  });

  test("that cannot be parsed shows nothing", async () => {
    await receive(() => ({ type: "weather", username: one }));
    await receive(() => {
      throw new SyntaxError("Unexpected token");
    });
    await onPush({ data: null } as unknown as PushEvent);
    expect(shown).toEqual([]);
  });
});

describe("a changed push subscription", () => {
  const base = { username: one, p256dh: "key", auth: "secret" };

  test.each([true, false])(
    "is sent to the server, with the alerts of the previous one: %s",
    async (alerts) => {
      pushSettings = { publicKey: "server-key", subscription: { endpoint: "https://old", alerts } };
      await saveAlertsPreference(one, !alerts);
      const newSubscription = subscription("https://push.example.net/new");
      await onSubscriptionChange({ newSubscription: newSubscription as unknown as PushSubscription });
      expect(savedSubscription()).toEqual({ ...base, endpoint: "https://push.example.net/new", alerts });
    },
  );

  test("is made here if the browser has not, with the alerts that the device prefers", async () => {
    await saveAlertsPreference(one, true);
    await onSubscriptionChange({});
    expect(savedSubscription()).toEqual({
      ...base,
      endpoint: "https://push.example.net/server-key",
      alerts: true,
    });
  });

  test("is of no use while no AS is logged in, also while a logout is pending", async () => {
    await startLogout();
    const newSubscription = subscription("https://push.example.net/new");
    await onSubscriptionChange({ newSubscription: newSubscription as unknown as PushSubscription });
    await onSubscriptionChange({});
    expect(requests).toEqual([]);
  });
});
