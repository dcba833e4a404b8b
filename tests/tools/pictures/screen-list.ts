/** Every screen of the app and its states, for pictures and for the tests that visit all of them. */
import type { Page } from "playwright";
import { calls } from "#contract/calls.ts";
import { historyCalls } from "#contract/call-tables/history-calls.ts";
import { deployPeering, type Participant, signUp } from "../../integration/server/participant.ts";
import { nodeNames } from "./sample-network.ts";
import {
  addHistory,
  demoPeerings,
  largeNetwork,
  neverReply,
  refuse,
  replyWith,
  silentNodes,
} from "./sample-replies.ts";

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

type Row = readonly [
  name: string,
  path: string,
  seen: string,
  changes?: Pick<Screen, "prepare" | "afterwards">,
];

const toScreens = (manager: boolean, rows: readonly Row[]): readonly Screen[] =>
  rows.map(([name, path, seen, changes]) => ({ name, path, manager, seen, ...changes }));

const large = (count: number, peered?: number) => ({
  prepare: (page: Page) => largeNetwork(page, count, peered),
});
const refused = (path: string, status?: number) => ({ prepare: (page: Page) => refuse(page, path, status) });
const silent = { prepare: silentNodes };
const { getPeerStatus, getNodeHistories } = calls;

const publicScreens = toScreens(false, [
  ["home", "/", "Go to Peering Manager"],
  ["status", "/status", "as of"],
  ["map", "/map", "Link up"],
  ["about", "/about", "Nodes/Routers"],
  ["login", "/login", "Login page"],
  ["register", "/register", "Already have an account?"],
  ["not-found", "/not-found", "404 not found"],
  ["home-no-history", "/", "Go to Peering Manager", refused(historyCalls.getNetworkSummary.path, 404)],
  ["home-24-nodes", "/", longName, large(24)],
  ["status-24-nodes", "/status", longName, large(24)],
  ["map-24-nodes", "/map", longName, large(24)],
  ["status-failed", "/status", "could not be loaded", refused(getNodeHistories.path)],
]);

const managerScreens = toScreens(true, [
  ["dashboard", "/manager", "Current peerings"],
  ["peering", overview("de01"), "Tunnel status"],
  ["peering-down", overview("sin01"), "Tunnel status"],
  ["details", overview("de01", "details"), "Output from"],
  ["troubleshooting", overview("de01", "troubleshooting"), "Restart BGP"],
  ["edit", overview("de01", "edit"), "Current configuration"],
  ["node-status", "/manager?view=nodes", "Node CPU usage"],
  ["stats", "/manager?view=stats", "Total routes"],
  ["contact", "/manager?view=contact", "Your message"],
  ["activity", "/manager/activity", "Deployed."],
  ["settings", "/manager/settings", "Notifications"],
  ["select-node", "/manager/updatepeer/new", "Only one peering"],
  ["family-step", "/manager/updatepeer/edit?node=ny01", "Address family"],
  // Dashboard and overview, by their number of peerings and by what fails.
  [
    "dashboard-empty",
    "/manager",
    "You don't appear",
    { prepare: (page) => replyWith(page, getPeerStatus.path, []) },
  ],
  ["dashboard-failed", "/manager", "could not be loaded", refused(getPeerStatus.path)],
  [
    "dashboard-loading",
    "/manager",
    "Current peerings",
    { prepare: (page) => neverReply(page, getPeerStatus.path) },
  ],
  ["dashboard-one", "/manager", "Current peerings", large(1)],
  ["dashboard-sixty", "/manager", "Current peerings", large(60)],
  ["dashboard-sixty-filtered", "/manager?find=node&state=Down", "peerings shown", large(60)],
  ["dashboard-sixty-no-match", "/manager?find=atlantis", "No peering matches", large(60)],
  [
    "dashboard-sixty-loading",
    "/manager",
    "Current peerings",
    {
      prepare: async (page) => {
        await largeNetwork(page, 60);
        await neverReply(page, getPeerStatus.path);
      },
    },
  ],
  ["dashboard-silent", "/manager", "Current peerings", silent],
  [
    "dashboard-offline",
    "/manager",
    "Current peerings",
    {
      afterwards: async (page) => {
        await page.context().setOffline(true);
        await page.getByText("Showing the last known data.").waitFor();
      },
    },
  ],
  ["peering-large-values", overview(longName), "Tunnel status", large(24)],
  ["peering-silent", overview("de01"), "Tunnel status", silent],
  ["node-status-24-nodes", "/manager?view=nodes", longName, large(24)],
  ["select-node-24-nodes", "/manager/updatepeer/new", longName, large(24, 1)],
  ["activity-failed", "/manager/activity", "could not be loaded", refused(calls.getActivity.path)],
]);

/** All screens but the ones that need a deployment. */
export const screens: readonly Screen[] = [...publicScreens, ...managerScreens];

/** Registers a participant with the pictured peerings. */
export async function signUpWithPeerings(url: string): Promise<Participant> {
  const participant = await signUp(url, "4242420001");
  await deployPeerings(participant);
  return participant;
}

export async function deployPeerings(participant: Participant): Promise<void> {
  for (const [node, remote_port] of demoPeerings) {
    const public_key = Buffer.from(node.padEnd(32, "k")).toString("base64");
    await deployPeering(participant, node, { public_key, remote_port });
  }
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
