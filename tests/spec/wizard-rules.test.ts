import type { Page } from "playwright";
import { expect } from "vitest";
import { fill, next, submit } from "../e2e/wizard.ts";
import { addPeering } from "../../src/mocks/samples.ts";
import type { Backend } from "./answering-server.ts";
import { testRows } from "./rows.ts";
import { arrivedAt, button, enabled, facts, heading, seen, text } from "./seeing.ts";
import { wizardRuleRows } from "./table/wizard-rules.ts";
import {
  always,
  custom,
  customLabel,
  extendedNextHop,
  family,
  ipv4,
  ipv6,
  openConfirm,
  openDetails,
  openFamilyStep,
  publicKey,
  toConfirm,
  toDetails,
} from "./wizard-steps.ts";

const back = (page: Page) => button(page, "Back").click();
const checked = (page: Page, question: RegExp) =>
  page.getByRole("group", { name: question }).getByRole("radio", { checked: true });

/** Fills every step, and goes back from the last to the first. */
async function thereAndBack(page: Page): Promise<void> {
  await openConfirm(page);
  for (const title of ["Your details", "BGP details", "Select a node"]) {
    await back(page);
    await seen(heading(page, title));
  }
}

/** The second item of the body that a submit sent. */
const submitted = (backend: Backend) =>
  backend.received("updatePeerConfig").map(({ body }) => (body as readonly unknown[])[1]);

testRows(
  wizardRuleRows,
  {
    "wizard-forward": async ({ page }) => {
      await thereAndBack(page);
      // Only a step that is complete could be left out: one that is not holds whoever comes past it.
      for (const title of ["BGP details", "Your details", "Confirm your details"]) {
        await next(page);
        await seen(heading(page, title));
      }
    },
    "wizard-back": ({ page }) => thereAndBack(page),
    "wizard-submit": async ({ page }) => {
      await openConfirm(page);
      await submit(page);
      await arrivedAt(page, "/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=mock-1");
    },
    "delete-yes": async ({ page, backend }) => {
      addPeering(backend.state);
      await page.goto("/manager/updatepeer/delete?node=syd01");
      await button(page, "Yes").click();
      await arrivedAt(page, "/manager/updatepeer/delete?node=syd01&step=awaitingDeployment&task=mock-2");
    },
    "rule-ipv4": async ({ page }) => {
      await openFamilyStep(page);
      await family(page, "Both");
      await extendedNextHop(page, "Yes");
      await custom(page, "Yes");
      await fill(page, { [customLabel]: "fe80::2" });
      await toDetails(page);
      await fill(page, ipv6);
      await back(page);
      await family(page, "IPv4");
      await family(page, "Both");
      expect(await checked(page, /Extended Nexthop/).count()).toBe(0);
      expect(await checked(page, /custom/).count()).toBe(0);
      await extendedNextHop(page, "Yes");
      await custom(page, "Yes");
      expect(await page.getByLabel(customLabel).inputValue()).toBe("");
      await toDetails(page);
      expect(await page.getByLabel("IPv6 tunnel address").inputValue()).toBe("");
    },
    "rule-ipv6": async ({ page, backend }) => {
      await openDetails(page, "IPv4");
      await fill(page, ipv4);
      await back(page);
      await family(page, "IPv6");
      await family(page, "IPv4");
      await toDetails(page);
      expect(await page.getByLabel("IPv4 tunnel address").inputValue()).toBe("");
      await back(page);
      await family(page, "Both");
      await extendedNextHop(page, "Yes");
      await family(page, "IPv6");
      await toDetails(page);
      await fill(page, { ...always, ...ipv6 });
      await toConfirm(page);
      await submit(page);
      await seen(text(page, "mock-1"));
      expect(submitted(backend)).toMatchObject([{ address_family: "IPv6", bgp_extnh: "No" }]);
    },
    "rule-both": async ({ page }) => {
      await openFamilyStep(page);
      await family(page, "IPv6");
      await family(page, "Both");
      expect(await checked(page, /Extended Nexthop/).count()).toBe(0);
      await enabled(button(page, "Next"), false);
    },
    "rule-both-yes": async ({ page }) => {
      await openDetails(page, "Both", "No");
      await fill(page, ipv4);
      await back(page);
      await extendedNextHop(page, "Yes");
      await toDetails(page);
      expect(await page.getByLabel("IPv4 tunnel address").count()).toBe(0);
      await back(page);
      await extendedNextHop(page, "No");
      await toDetails(page);
      expect(await page.getByLabel("IPv4 tunnel address").inputValue()).toBe("");
    },
    "rule-both-no": async ({ page }) => {
      await openDetails(page, "IPv4");
      await fill(page, ipv4);
      await back(page);
      await family(page, "Both");
      await extendedNextHop(page, "No");
      await toDetails(page);
      expect(await page.getByLabel("IPv4 tunnel address").inputValue()).toBe(ipv4["IPv4 tunnel address"]);
    },
    "rule-custom-no": async ({ page }) => {
      await openFamilyStep(page);
      await family(page, "IPv6");
      await custom(page, "Yes");
      await fill(page, { [customLabel]: "fe80::2" });
      await custom(page, "No");
      await custom(page, "Yes");
      expect(await page.getByLabel(customLabel).inputValue()).toBe("");
    },
    "form-field-state": async ({ page }) => {
      const holds = async (label: string, good: string) => {
        const field = page.getByLabel(label, { exact: true });
        const invalid = () => field.getAttribute("aria-invalid");
        await field.fill("!");
        expect([label, await invalid()]).toEqual([label, "false"]);
        await field.blur();
        await expect.poll(invalid).toBe("true");
        await field.fill(good);
        await expect.poll(invalid).toBe("false");
        expect(await field.inputValue()).toBe(good);
      };
      await openFamilyStep(page);
      await family(page, "Both");
      await extendedNextHop(page, "No");
      await custom(page, "Yes");
      await holds(customLabel, "fe80::2");
      await toDetails(page);
      for (const [label, good] of Object.entries({ ...always, ...ipv4, ...ipv6 })) await holds(label, good);
    },
    "form-field-error": async ({ page, backend }) => {
      await openFamilyStep(page);
      await family(page, "Both");
      await extendedNextHop(page, "No");
      await custom(page, "Yes");
      await toDetails(page);
      await fill(page, { ...always, ...ipv4, ...ipv6 });
      for (const [field, step] of [
        ["public_key", "Your details"],
        ["peer_ipv6", "Your details"],
        ["peer_ipv4", "Your details"],
        ["remote_port", "Your details"],
        ["remote_ip", "Your details"],
        ["local_ipv6", "BGP details"],
        ["bgp_extnh", "BGP details"],
        ["address_family", "BGP details"],
        ["node", "Select a node"],
      ] as const) {
        const message = `The ${field} is refused.`;
        backend.refuse("updatePeerConfig", 422, { message, field });
        while ((await button(page, "Submit").count()) === 0) await next(page);
        await submit(page);
        await seen(heading(page, step), page.getByText(message));
      }
    },
    "payload-ipv4": async ({ page, backend }) => {
      await openConfirm(page);
      await submit(page);
      await seen(text(page, "mock-1"));
      expect(submitted(backend)).toEqual([
        {
          node: "syd01",
          address_family: "IPv4",
          bgp_extnh: "No",
          remote_ip: "router.example.org",
          remote_port: "51820",
          peer_ipv4: "172.20.201.1",
          peer_ipv6: "",
          local_ipv6: "",
          public_key: publicKey,
          generation: 0,
        },
      ]);
    },
    "payload-both": async ({ page, backend }) => {
      await openFamilyStep(page);
      await family(page, "Both");
      await extendedNextHop(page, "Yes");
      await custom(page, "Yes");
      await fill(page, { [customLabel]: "fe80::2" });
      await toDetails(page);
      await fill(page, { ...always, ...ipv6 });
      await toConfirm(page);
      await submit(page);
      await seen(text(page, "mock-1"));
      expect(submitted(backend)).toMatchObject([
        {
          node: "syd01",
          address_family: "Both",
          bgp_extnh: "Yes",
          remote_ip: "router.example.org",
          remote_port: "51820",
          peer_ipv4: "",
          peer_ipv6: "fe80::1:1",
          local_ipv6: "fe80::2",
          public_key: publicKey,
        },
      ]);
    },
    "payload-local-ipv6": async ({ page, backend }) => {
      await openFamilyStep(page);
      await family(page, "IPv6");
      await custom(page, "No");
      await toDetails(page);
      await fill(page, { ...always, ...ipv6 });
      await toConfirm(page);
      await submit(page);
      await seen(text(page, "mock-1"));
      expect(submitted(backend)).toMatchObject([{ local_ipv6: "" }]);
      expect(backend.state.peerings[0]?.peering.localIpv6).toBe("fe80::2227:1");
    },
    "families-constant": async ({ page }) => {
      await openConfirm(page);
      expect(await facts(page.getByRole("main"))).toMatchObject({
        "Address family": "IPv4",
        "Extended Nexthop": "No",
      });
    },
  },
  { signedIn: true },
);
