/** Steps that move through the app, log in and log out. */
import { expectText, isOnScreen } from "./screen.ts";
import { clearParticipant, isReachable, isLoggedIn } from "./model.ts";
import type { ChaosParticipant } from "./participants.ts";
import type { Step } from "./step.ts";

export const screens = [
  "/",
  "/about",
  "/map",
  "/status",
  "/login",
  "/register",
  "/manager",
  "/manager?view=nodes",
  "/manager?view=stats",
  "/manager?view=contact",
  "/manager?node=de01",
  "/manager/updatepeer/new",
  "/no-such-screen",
] as const;

export function openScreen(path: (typeof screens)[number]): Step {
  return {
    name: `opens ${path}`,
    maxLoads: 1,
    run: async ({ device }) => void (await device.page().goto(path, { waitUntil: "commit" })),
  };
}

export const reload: Step = {
  name: "reloads",
  maxLoads: 1,
  run: async ({ device }) => void (await device.page().reload({ waitUntil: "commit" })),
};

export const goBack: Step = {
  name: "goes back",
  maxLoads: 1,
  run: async ({ device }) => {
    const page = device.page();
    const canGoBack = await page.evaluate(
      () => (window as unknown as { navigation: { canGoBack: boolean } }).navigation.canGoBack,
    );
    if (canGoBack) await page.goBack({ waitUntil: "commit" });
  },
};

/** Links to screens of the app. The demo's pages are not screens of the app. */
const ownLinks = "a[href^='/']:not([href^='/demo']):not([href^='/api']):visible";

/** @param which the index of the link on the screen, modulo the number of links */
export function clickLink(which: number): Step {
  return {
    name: `clicks link ${which}`,
    run: async ({ device }) => {
      const links = device.page().locator(ownLinks);
      const count = await links.count();
      if (count === 0) return;
      // A link that moves away is not clicked.
      await links
        .nth(which % count)
        .click({ timeout: 3_000 })
        .catch(() => undefined);
    },
  };
}

export function logIn(participant: ChaosParticipant): Step {
  return {
    name: `AS${participant.asn} logs in`,
    // A participant who is logged in does not get the form.
    isPossible: (model) => isReachable(model) && !isLoggedIn(model),
    maxLoads: 1,
    run: async ({ device }, model) => {
      const page = device.page();
      await page.goto("/login");
      await page.getByLabel("ASN").fill(participant.asn);
      await page.getByLabel("Password").fill(participant.password);
      await page.getByRole("button", { name: "Login" }).click();
      await page.waitForURL(({ pathname }) => pathname.startsWith("/manager"));
      await expectText(page, `AS${participant.asn}`);
      if (model.participant !== participant) clearParticipant(model);
      model.participant = participant;
      model.hasLoginSession = true;
    },
  };
}

/** The device's part of a logout, which works without a network. */
export const logOut: Step = {
  name: "logs out",
  isPossible: isLoggedIn,
  maxLoads: 1,
  run: async ({ device }, model) => {
    const page = device.page();
    if (!(await isOnScreen(page.getByRole("button", { name: "Logout" })))) {
      await page.goto("/manager", { waitUntil: "commit" });
    }
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL(({ pathname }) => pathname === "/");
    clearParticipant(model);
  },
};
