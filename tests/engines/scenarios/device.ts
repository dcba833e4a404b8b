import { expect } from "vitest";
import { calls } from "#contract/calls.ts";
import { peerUpdate, waitForTask } from "../../integration/server/participant.ts";
import type { EngineName } from "../engine.ts";
import type { Scenario, Scene } from "../scene.ts";
import { logIn } from "./log-in.ts";

interface Capabilities {
  readonly "service workers": boolean;
  readonly notifications: boolean;
  readonly push: boolean;
  readonly "install prompt": boolean;
}

/**
 * What the engines have in the tests. A new version of an engine that differs fails here, so that what the app does with
 * the difference is checked.
 */
const capabilities: Readonly<Record<EngineName, Capabilities>> = {
  Firefox: { "service workers": true, notifications: true, push: true, "install prompt": false },
  WebKit: { "service workers": true, notifications: true, push: false, "install prompt": false },
};

export const deviceScenario: Scenario = {
  name: "map and charts are drawn, push is offered only where it exists, and the dashboard opens offline",
  asn: "4242420002",
  async run(scene) {
    const { asn, call } = scene.participant;
    const update = peerUpdate({ node: "ny01", peer_ipv6: "fe80::52" });
    const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, update]);
    await waitForTask(scene.participant, taskID);
    await seeMap(scene);
    await logIn(scene);
    await seeSettings(scene);
    await seeCharts(scene);
    await seeDashboardOffline(scene);
  },
};

async function seeMap({ screen }: Scene): Promise<void> {
  await screen.open("/");
  await screen.click("link", "Map");
  // One on the map, one in the list beside it.
  for (const node of ["syd01", "za01"]) await screen.waitFor("button", new RegExp(`^${node}\\.`));
  // A horizontal line has no height, so the width is enough.
  await screen.waitUntil("Fewer than five lines are drawn", () => {
    const lines = Array.from(document.querySelectorAll(".leaflet-overlay-pane path[stroke]"));
    return lines.filter((line) => line.getBoundingClientRect().width > 0).length >= 5;
  });
}

async function seeSettings({ engine, screen }: Scene): Promise<void> {
  const found = await screen.tab.evaluate(() => ({
    "service workers": "serviceWorker" in navigator,
    notifications: "Notification" in window,
    push: "PushManager" in window,
    "install prompt": "onbeforeinstallprompt" in window,
  }));
  expect(found).toEqual(capabilities[engine]);
  await screen.click("link", "Settings");
  await screen.waitFor("switch", "Deployments");
  expect(await screen.count("switch", "Sessions")).toBe(found.push ? 1 : 0);
  // No engine of the tests sends an install event: windows of a driver are private.
  expect(await screen.count("button", "Install this app")).toBe(0);
}

async function seeCharts({ screen }: Scene): Promise<void> {
  for (const view of ["Stats", "Node Status"]) {
    await screen.click("link", view);
    await screen.waitFor("heading", view);
    await screen.waitFor("img", /line chart of the last 3 hours/);
    expect(await screen.text()).not.toContain("The chart could not be drawn.");
  }
}

async function seeDashboardOffline(scene: Scene): Promise<void> {
  const { screen, proxy } = scene;
  await screen.waitUntil(
    "The worker does not control the page",
    () => navigator.serviceWorker.controller !== null,
  );
  await screen.open("/manager");
  await screen.waitForText("node: ny01");
  scene.allowConsoleErrors(
    /Failed to load (resource|.*ServiceWorker)/,
    "Firefox reports each request that fails without the network.",
  );
  scene.allowConsoleErrors(/^Call failed: .* gave no response/, "The app logs failed reads.");
  proxy.set("down");
  await screen.reload();
  await screen.waitForText("No connection to the server.");
  await screen.waitForText("node: ny01");
  proxy.set("up");
  await screen.reload();
  await screen.waitUntil(
    "The notice stays",
    () => !document.body.innerText.includes("No connection to the server."),
  );
  await screen.waitForText("node: ny01");
}
