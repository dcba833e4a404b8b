import { expect } from "vitest";
import type { EngineName } from "../engine.ts";
import type { Scenario } from "../scene.ts";
import { logIn } from "./steps.ts";

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

export const managerScenario: Scenario = {
  name: "charts are drawn, and push and installation are offered only where the engine has them",
  async run(scene) {
    const { engine, screen } = scene;
    await logIn(scene);
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

    for (const view of ["Stats", "Node Status"]) {
      await screen.click("link", view);
      await screen.waitFor("heading", view);
      await screen.waitFor("img", /line chart of the last 3 hours/);
      expect(await screen.text()).not.toContain("The chart could not be drawn.");
    }
  },
};
