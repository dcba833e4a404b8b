/** Steps that change the app's environment: network, server and browser. */
import { isLoggedIn, isReachable, type Network } from "./model.ts";
import { expectText } from "./screen.ts";
import type { Step } from "./step.ts";

export function setNetwork(network: Network): Step {
  return {
    name: `the network is ${network}`,
    isPossible: (model) => model.network !== network,
    run: async (environment, model) => {
      await environment.setNetwork(network);
      model.network = network;
    },
  };
}

export const killServer: Step = {
  name: "the server is killed",
  isPossible: ({ isServerUp }) => isServerUp,
  run: async (environment, model) => {
    await environment.killServer();
    model.isServerUp = false;
  },
};

export const startServer: Step = {
  name: "the server starts",
  isPossible: ({ isServerUp }) => !isServerUp,
  run: async (environment, model) => {
    await environment.startServer();
    model.isServerUp = true;
  },
};

/** The app finds the new version, as it does after an hour. It may offer the version, and must not load it by itself. */
export const publishVersion: Step = {
  name: "a new version appears",
  run: async (environment, model) => {
    await environment.update();
    model.isServerUp = true;
    if (model.network !== "online") return;
    await environment.device.page().evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration?.update().catch(() => undefined);
    });
  },
};

export const acceptVersion: Step = {
  name: "the new version is accepted if it is offered",
  maxLoads: 1,
  run: async ({ device }) => {
    const page = device.page();
    const offer = page.getByText("A new version is ready");
    if (!(await offer.isVisible())) return;
    const before = await page.evaluate(() => performance.timeOrigin);
    await offer.locator("xpath=ancestor::*[.//button][1]").getByRole("button").first().click();
    await page.waitForFunction((then) => performance.timeOrigin !== then, before);
  },
};

export const killTab: Step = {
  name: "the tab is killed",
  maxLoads: 1,
  run: ({ device }) => device.killTab(),
};

export const killBrowser: Step = {
  name: "the browser is killed",
  maxLoads: 1,
  run: async ({ device }, model) => {
    await device.killBrowser();
    model.hasTwoTabs = false;
  },
};

export const openTab: Step = {
  name: "a second tab is opened",
  isPossible: ({ hasTwoTabs }) => !hasTwoTabs,
  maxLoads: 1,
  run: async ({ device }, model) => {
    await device.openTab();
    model.hasTwoTabs = true;
  },
};

export const switchTab: Step = {
  name: "the other tab is used",
  isPossible: ({ hasTwoTabs }) => hasTwoTabs,
  run: ({ device }) => device.switchTab(),
};

export const closeOtherTab: Step = {
  name: "the other tab is closed",
  isPossible: ({ hasTwoTabs }) => hasTwoTabs,
  run: async ({ device }, model) => {
    await device.closeOtherTab();
    model.hasTwoTabs = false;
  },
};

/** The app starts with nothing and finds its login session again. Drafts are lost, which it cannot prevent. */
export const evictStorage: Step = {
  name: "the browser evicts the app's storage",
  isPossible: (model) => isLoggedIn(model) && isReachable(model),
  maxLoads: 1,
  run: async ({ device }, model) => {
    await device.evictStorage();
    model.wizard = null;
    model.contact = null;
    await device.page().goto("/manager");
    await expectText(device.page(), `AS${model.participant?.asn}`);
  },
};

/** The login session ends on the server. The device does not know it yet. */
export const expireLoginSession: Step = {
  name: "the login session expires",
  isPossible: ({ hasLoginSession }) => hasLoginSession,
  run: async ({ device }, model) => {
    await device.page().context().clearCookies();
    model.hasLoginSession = false;
  },
};
