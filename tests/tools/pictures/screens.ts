/**
 * Takes pictures of every screen at three widths in both schemes (`npm run pictures:screens`), into build/pictures.
 * Arguments select screens by their name: `npm run pictures:screens -- dashboard home`.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { calls } from "../../../src/contract/calls.ts";
import { historyCalls } from "../../../src/contract/call-tables/history-calls.ts";
import { visit } from "../../e2e/visit.ts";
import { demoServer } from "../../integration/server/demo-server.ts";
import { type Participant, peerUpdate, signUp, waitForTask } from "../../integration/server/participant.ts";
import { repository } from "../../support/repository.ts";
import { launchPictureBrowser } from "./picture-browser.ts";
import { sampleHistories, sampleSummary } from "./sample-history.ts";

const folder = join(repository, "build/pictures");
const widths = [390, 768, 1440] as const;
const schemes = ["light", "dark"] as const;

/** The ports select the behaviour of the simulated remote router (src/agent/drivers/simulated/faults.ts). */
const peerings = [
  { node: "de01", remote_port: "13" },
  { node: "ny01" },
  { node: "sin01", remote_port: "11" },
  { node: "per01", remote_port: "12" },
];

interface Screen {
  readonly name: string;
  readonly path: string;
  /** Whether a participant is logged in. */
  readonly manager: boolean;
  /** A text that the complete screen has. */
  readonly seen: string;
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const screens: readonly Screen[] = [
  { name: "home", path: "/", manager: false, seen: "Go to Peering Manager" },
  { name: "status", path: "/status", manager: false, seen: "Last 24 hours" },
  { name: "map", path: "/map", manager: false, seen: "Link up" },
  { name: "about", path: "/about", manager: false, seen: "Nodes/Routers" },
  { name: "login", path: "/login", manager: false, seen: "Login page" },
  { name: "register", path: "/register", manager: false, seen: "Already have an account?" },
  { name: "not-found", path: "/not-found", manager: false, seen: "404 not found" },
  { name: "dashboard", path: "/manager", manager: true, seen: "Current peerings" },
  { name: "peering", path: "/manager?node=de01", manager: true, seen: "Tunnel status" },
  { name: "peering-down", path: "/manager?node=sin01", manager: true, seen: "Tunnel status" },
  { name: "details", path: "/manager?node=de01&tab=details", manager: true, seen: "Output from" },
  {
    name: "troubleshooting",
    path: "/manager?node=de01&tab=troubleshooting",
    manager: true,
    seen: "Restart BGP",
  },
  { name: "edit", path: "/manager?node=de01&tab=edit", manager: true, seen: "Current configuration" },
  { name: "node-status", path: "/manager?view=nodes", manager: true, seen: "Node Status" },
  { name: "stats", path: "/manager?view=stats", manager: true, seen: "Total routes" },
  { name: "contact", path: "/manager?view=contact", manager: true, seen: "Your message" },
  { name: "activity", path: "/manager/activity", manager: true, seen: "Activity" },
  { name: "settings", path: "/manager/settings", manager: true, seen: "Notifications" },
  { name: "select-node", path: "/manager/updatepeer/new", manager: true, seen: "Only one peering" },
  { name: "success", path: "", manager: true, seen: "Here is the config for your side:" },
  {
    name: "dashboard-empty",
    path: "/manager",
    manager: true,
    seen: "You don't appear",
    prepare: (page) => reply(page, calls.getPeerStatus.path, []),
  },
  {
    name: "dashboard-failed",
    path: "/manager",
    manager: true,
    seen: "could not be loaded",
    prepare: (page) => refuse(page, calls.getPeerStatus.path),
  },
  {
    name: "home-no-history",
    path: "/",
    manager: false,
    seen: "Go to Peering Manager",
    prepare: (page) => refuse(page, historyCalls.getNetworkSummary.path, 404),
  },
];

const reply = (page: Page, path: string, json: unknown) =>
  page.route(`**${path}`, (route) => route.fulfill({ json }));
const refuse = (page: Page, path: string, status = 503) =>
  page.route(`**${path}`, (route) =>
    route.fulfill({ status, json: { message: "The server cannot do this now." } }),
  );

const chosen = process.argv.slice(2);
await using server = await demoServer({ timeScale: 0.05, observeEveryMs: 500 });
const participant = await signUp(server.url, "4242420001");
let success = "";
for (const peering of peerings) success = await deploy(participant, peering);
await mkdir(folder, { recursive: true });
await using browser = await launchPictureBrowser();
for (const screen of screens.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
  for (const width of widths)
    for (const colorScheme of schemes) await take(browser, screen, width, colorScheme);
}

async function take(
  of: Browser,
  { name, path, manager, seen, prepare }: Screen,
  width: number,
  colorScheme: (typeof schemes)[number],
): Promise<void> {
  const viewport = { width, height: width < 600 ? 844 : 900 };
  await using opened = await visit(of, server.url, {
    viewport,
    colorScheme,
    ...(manager && { as: participant }),
  });
  const { page } = opened;
  const nodes = ["syd01", "per01", "sin01", "de01", "ny01", "za01"];
  await reply(page, historyCalls.getNetworkSummary.path, sampleSummary(nodes, Date.now()));
  await reply(
    page,
    historyCalls.getPeeringHistory.path,
    sampleHistories(
      peerings.map(({ node }) => node),
      Date.now(),
    ),
  );
  await prepare?.(page);
  await page.goto(name === "success" ? success : path);
  await page.getByText(seen).first().waitFor();
  await page.waitForTimeout(600);
  const file = join(folder, `${name}-${width}-${colorScheme}.png`);
  await page.screenshot({ path: file, animations: "disabled", caret: "hide", fullPage: true });
  process.stdout.write(`${file}\n`);
}

/** Returns the address of the finished deployment. */
async function deploy({ asn, call }: Participant, changes: { readonly node: string }): Promise<string> {
  const update = peerUpdate({ public_key: keyOf(changes.node), ...changes });
  const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, update]);
  await waitForTask({ asn, cookie: "", call }, taskID);
  return `/manager/updatepeer/new?node=${changes.node}&step=awaitingDeployment&task=${taskID}`;
}

function keyOf(name: string): string {
  return Buffer.from(name.padEnd(32, "k")).toString("base64");
}
