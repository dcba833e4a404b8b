/** How a person moves through the app, and signs in and out. */
import { expectText, isOnScreen } from "./screen.ts";
import { forget, isReachable, isSignedIn } from "./model.ts";
import type { Person } from "./people.ts";
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

export function opens(path: (typeof screens)[number]): Step {
  return {
    name: `opens ${path}`,
    loads: 1,
    happen: async ({ device }) => void (await device.page().goto(path, { waitUntil: "commit" })),
  };
}

export const reloads: Step = {
  name: "reloads",
  loads: 1,
  happen: async ({ device }) => void (await device.page().reload({ waitUntil: "commit" })),
};

export const goesBack: Step = {
  name: "goes back",
  loads: 1,
  happen: async ({ device }) => {
    const page = device.page();
    const canGoBack = await page.evaluate(
      () => (window as unknown as { navigation: { canGoBack: boolean } }).navigation.canGoBack,
    );
    if (canGoBack) await page.goBack({ waitUntil: "commit" });
  },
};

/** The demo's own pages are not screens of the app. */
const ownLinks = "a[href^='/']:not([href^='/demo']):not([href^='/api']):visible";

/** @param which of the links on the screen, counted round and round */
export function clicksLink(which: number): Step {
  return {
    name: `clicks link ${which}`,
    happen: async ({ device }) => {
      const links = device.page().locator(ownLinks);
      const count = await links.count();
      if (count === 0) return;
      // What moves away under the finger was not clicked.
      await links
        .nth(which % count)
        .click({ timeout: 3_000 })
        .catch(() => undefined);
    },
  };
}

export function signsIn(person: Person): Step {
  return {
    name: `AS${person.asn} signs in`,
    when: isReachable,
    loads: 1,
    happen: async ({ device }, model) => {
      const page = device.page();
      await page.goto("/login");
      await page.getByLabel("ASN").fill(person.asn);
      await page.getByLabel("Password").fill(person.password);
      await page.getByRole("button", { name: "Login" }).click();
      await page.waitForURL(({ pathname }) => pathname.startsWith("/manager"));
      await expectText(page, `AS${person.asn}`);
      if (model.who !== person) forget(model);
      model.who = person;
      model.sessionAlive = true;
    },
  };
}

/** Works whatever the network does: the device's part of it, that is. */
export const signsOut: Step = {
  name: "signs out",
  when: isSignedIn,
  loads: 1,
  happen: async ({ device }, model) => {
    const page = device.page();
    if (!(await isOnScreen(page.getByRole("button", { name: "Logout" })))) {
      await page.goto("/manager", { waitUntil: "commit" });
    }
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL(({ pathname }) => pathname === "/");
    forget(model);
  },
};
