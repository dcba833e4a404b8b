/** Every screen of the app and its states, for pictures and for the tests that visit all of them. */
import type { Page } from "playwright";
import { calls } from "#contract/calls.ts";
import { historyCalls } from "#contract/call-tables/history-calls.ts";
import { type Participant, peerUpdate, signUp, waitForTask } from "../../integration/server/participant.ts";
import { demoPeerings } from "./demo-peerings.ts";
import { nodeNames } from "./sample-network.ts";
import { addHistory, largeNetwork, neverReply, refuse, replyWith, silentNodes } from "./sample-replies.ts";

export interface Screen {
  readonly name: string;
  readonly path: string;
  /** Whether a participant is logged in. */
  readonly manager: boolean;
  /** A text that the complete screen has. */
  readonly seen: string;
  /** Replaces replies before the screen is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** What happens on the screen before its picture is taken. */
  readonly afterwards?: (page: Page) => Promise<unknown>;
}

const overview = (node: string, tab?: string) => `/manager?node=${node}${tab ? `&tab=${tab}` : ""}`;
const [longName = ""] = nodeNames(1);

const main: readonly Screen[] = [
  { name: "home", path: "/", manager: false, seen: "Go to Peering Manager" },
  { name: "status", path: "/status", manager: false, seen: "as of" },
  { name: "map", path: "/map", manager: false, seen: "Link up" },
  { name: "about", path: "/about", manager: false, seen: "Nodes/Routers" },
  { name: "login", path: "/login", manager: false, seen: "Login page" },
  { name: "register", path: "/register", manager: false, seen: "Already have an account?" },
  { name: "not-found", path: "/not-found", manager: false, seen: "404 not found" },
  { name: "dashboard", path: "/manager", manager: true, seen: "Current peerings" },
  { name: "peering", path: overview("de01"), manager: true, seen: "Tunnel status" },
  { name: "peering-down", path: overview("sin01"), manager: true, seen: "Tunnel status" },
  { name: "details", path: overview("de01", "details"), manager: true, seen: "Output from" },
  {
    name: "troubleshooting",
    path: overview("de01", "troubleshooting"),
    manager: true,
    seen: "Restart BGP",
  },
  { name: "edit", path: overview("de01", "edit"), manager: true, seen: "Current configuration" },
  { name: "node-status", path: "/manager?view=nodes", manager: true, seen: "Node CPU usage" },
  { name: "stats", path: "/manager?view=stats", manager: true, seen: "Total routes" },
  { name: "contact", path: "/manager?view=contact", manager: true, seen: "Your message" },
  { name: "activity", path: "/manager/activity", manager: true, seen: "The peering was deployed" },
  { name: "settings", path: "/manager/settings", manager: true, seen: "Notifications" },
  { name: "select-node", path: "/manager/updatepeer/new", manager: true, seen: "Only one peering" },
  {
    name: "family-step",
    path: "/manager/updatepeer/edit?node=ny01",
    manager: true,
    seen: "Address family",
  },
];

const { getPeerStatus, getNodeHistory } = calls;
const { getNetworkSummary } = historyCalls;

/** Dashboard and overview, by their number of peerings and by what fails. */
const peerings: readonly Screen[] = [
  dashboard("empty", "You don't appear", (page) => replyWith(page, getPeerStatus.path, [])),
  dashboard("failed", "could not be loaded", (page) => refuse(page, getPeerStatus.path)),
  dashboard("loading", "Current peerings", (page) => neverReply(page, getPeerStatus.path)),
  dashboard("one", "Current peerings", (page) => largeNetwork(page, 1)),
  dashboard("sixty", "Current peerings", (page) => largeNetwork(page, 60)),
  {
    ...dashboard("sixty-filtered", "peerings shown", (page) => largeNetwork(page, 60)),
    path: "/manager?find=node&state=Down",
  },
  {
    ...dashboard("sixty-no-match", "No peering matches", (page) => largeNetwork(page, 60)),
    path: "/manager?find=atlantis",
  },
  dashboard("sixty-loading", "Current peerings", async (page) => {
    await largeNetwork(page, 60);
    await neverReply(page, getPeerStatus.path);
  }),
  dashboard("silent", "Current peerings", silentNodes),
  {
    ...dashboard("offline", "Current peerings"),
    afterwards: async (page) => {
      await page.context().setOffline(true);
      await page.getByText("Showing the last known data.").waitFor();
    },
  },
  {
    name: "peering-large-values",
    path: overview(longName),
    manager: true,
    seen: "Tunnel status",
    prepare: (page) => largeNetwork(page, 24),
  },
  {
    name: "peering-silent",
    path: overview("de01"),
    manager: true,
    seen: "Tunnel status",
    prepare: silentNodes,
  },
];

function dashboard(state: string, seen: string, prepare?: Screen["prepare"]): Screen {
  return { name: `dashboard-${state}`, path: "/manager", manager: true, seen, ...(prepare && { prepare }) };
}

/** Networks of 24 nodes, and those without a history. */
const networks: readonly Screen[] = [
  {
    name: "home-no-history",
    path: "/",
    manager: false,
    seen: "Go to Peering Manager",
    prepare: (page) => refuse(page, getNetworkSummary.path, 404),
  },
  ...(["/", "/status", "/map"] as const).map((path) => ({
    name: `${path === "/" ? "home" : path.slice(1)}-24-nodes`,
    path,
    manager: false,
    seen: "frankfurt-am-main-01",
    prepare: (page: Page) => largeNetwork(page, 24),
  })),
  {
    name: "status-failed",
    path: "/status",
    manager: false,
    seen: "could not be loaded",
    prepare: (page) => refuse(page, getNodeHistory.path),
  },
  {
    name: "node-status-24-nodes",
    path: "/manager?view=nodes",
    manager: true,
    seen: "frankfurt-am-main-01",
    prepare: (page) => largeNetwork(page, 24),
  },
  {
    name: "select-node-24-nodes",
    path: "/manager/updatepeer/new",
    manager: true,
    seen: "frankfurt-am-main-01",
    prepare: (page) => largeNetwork(page, 24, 1),
  },
  {
    name: "activity-failed",
    path: "/manager/activity",
    manager: true,
    seen: "could not be loaded",
    prepare: (page) => refuse(page, calls.getActivity.path),
  },
];

/** All screens but the ones that need a deployment. */
export const screens: readonly Screen[] = [...main, ...peerings, ...networks];

/** Registers a participant with the pictured peerings. */
export async function signUpWithPeerings(url: string): Promise<Participant> {
  const participant = await signUp(url, "4242420001");
  await deployPeerings(participant);
  return participant;
}

/** Returns the ID of the last deployment, which is finished. */
export async function deployPeerings(participant: Participant): Promise<string> {
  let last = "";
  for (const { node, port } of demoPeerings) {
    const key = Buffer.from(node.padEnd(32, "k")).toString("base64");
    const update = peerUpdate({ node, public_key: key, remote_port: port });
    const { taskID } = await participant.call(calls.updatePeerConfig, [
      { username: participant.asn },
      update,
    ]);
    await waitForTask(participant, taskID);
    last = taskID;
  }
  return last;
}

/** Opens a screen in its state. Without a delay, the responses come as fast as the server has them. */
export async function openScreen(page: Page, screen: Screen, delayMs = 0): Promise<void> {
  await addHistory(page);
  await screen.prepare?.(page);
  if (delayMs > 0) {
    await page.route("**/api/**", async (route) => {
      await page.waitForTimeout(delayMs).catch(() => undefined);
      await route.fallback();
    });
  }
  await page.goto(screen.path);
  await page.getByText(screen.seen).filter({ visible: true }).first().waitFor();
  await page.waitForTimeout(400 + delayMs * 2);
  await screen.afterwards?.(page);
}
