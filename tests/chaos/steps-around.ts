/** What happens around the app: its network, its server, its browser. */
import type { Network } from "./gate.ts";
import type { Step } from "./step.ts";

export function networkBecomes(network: Network): Step {
  return {
    name: `the network is ${network}`,
    when: (model) => model.network !== network,
    happen: async (world, model) => {
      await world.setNetwork(network);
      model.network = network;
    },
  };
}

export const serverIsKilled: Step = {
  name: "the server is killed",
  when: ({ serverUp }) => serverUp,
  happen: async (world, model) => {
    await world.killServer();
    model.serverUp = false;
  },
};

export const serverStarts: Step = {
  name: "the server starts",
  when: ({ serverUp }) => !serverUp,
  happen: async (world, model) => {
    await world.startServer();
    model.serverUp = true;
  },
};

/** The app finds it as it would after an hour. It may ask, and must not load it by itself. */
export const newVersionAppears: Step = {
  name: "a new version appears",
  happen: async (world, model) => {
    await world.update();
    model.serverUp = true;
    if (model.network !== "online") return;
    await world.device.page().evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration?.update().catch(() => undefined);
    });
  },
};

export const newVersionIsAccepted: Step = {
  name: "the new version is accepted where it is offered",
  loads: 1,
  happen: async ({ device }) => {
    const page = device.page();
    const offer = page.getByText("A new version is ready");
    if (!(await offer.isVisible())) return;
    const before = await page.evaluate(() => performance.timeOrigin);
    await offer.locator("xpath=ancestor::*[.//button][1]").getByRole("button").first().click();
    await page.waitForFunction((then) => performance.timeOrigin !== then, before);
  },
};

export const tabIsKilled: Step = {
  name: "the tab is killed",
  loads: 1,
  happen: ({ device }) => device.killTab(),
};

export const browserIsKilled: Step = {
  name: "the browser is killed",
  loads: 1,
  happen: ({ device }) => device.killBrowser(),
};

/** The server forgets the session; the device does not know yet. */
export const sessionRunsOut: Step = {
  name: "the session runs out",
  when: ({ sessionAlive }) => sessionAlive,
  happen: async ({ device }, model) => {
    await device.page().context().clearCookies();
    model.sessionAlive = false;
  },
};
