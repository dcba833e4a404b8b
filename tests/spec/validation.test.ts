import type { Page } from "playwright";
import { expect } from "vitest";
import { fill } from "../e2e/wizard.ts";
import { type RowTest, testRows } from "./rows.ts";
import { button, enabled, seen, text } from "./seeing.ts";
import { validationRows } from "./table/validation.ts";
import {
  always,
  custom,
  customLabel,
  extendedNextHop,
  type Family,
  family,
  ipv4,
  ipv6,
  openDetails,
  openFamilyStep,
} from "./wizard-steps.ts";

/** Types each value, leaves the field, and tells which values are not said to be invalid. */
async function accepted(page: Page, label: string, values: readonly string[]): Promise<string[]> {
  const field = page.getByLabel(label, { exact: true });
  const good: string[] = [];
  for (const value of values) {
    await field.fill(value);
    await field.blur();
    const invalid = await field.getAttribute("aria-invalid");
    expect(await text(page, "Invalid value").count()).toBe(invalid === "true" ? 1 : 0);
    if (invalid === "false") good.push(value);
  }
  return good;
}

interface Values {
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

const fieldAccepts =
  (label: string, { good, bad }: Values, choice: Family = "IPv4"): RowTest =>
  async ({ page }) => {
    await openDetails(page, choice);
    expect(await accepted(page, label, [...good, ...bad])).toEqual(good);
  };

/** With everything else right, the field must be filled before Next lets on. */
const isRequired =
  (label: string): RowTest =>
  async ({ page }) => {
    await openDetails(page, "IPv4");
    await fill(page, { ...always, ...ipv4 });
    await enabled(button(page, "Next"), true);
    await fill(page, { [label]: "" });
    await enabled(button(page, "Next"), false);
    await page.getByLabel(label, { exact: true }).blur();
    await seen(text(page, "Invalid value"));
  };

const nextNeeds =
  (needed: Readonly<Record<string, string>>, choice: Family, extnh?: "Yes" | "No"): RowTest =>
  async ({ page }) => {
    await openDetails(page, choice, extnh);
    await fill(page, always);
    await enabled(button(page, "Next"), false);
    for (const label of Object.keys(needed)) await fill(page, { [label]: "1" });
    await enabled(button(page, "Next"), false);
    await fill(page, needed);
    await enabled(button(page, "Next"), true);
  };

const ports: Values = {
  good: ["1", "80", "51820", "65535"],
  bad: ["0", "65536", "080", "-1", "1.5", "0x10", "1e3", "port", "99999"],
};
const dotted: Values = {
  good: ["0.0.0.0", "172.20.0.53", "255.255.255.255"],
  bad: ["256.1.1.1", "1.2.3", "1.2.3.4.5", "1.2.3.4/32", "a.b.c.d"],
};
const ipv6Forms: Values = {
  good: ["2001:db8:0:0:0:0:0:1", "fd42:4242:2601::1", "::1", "fe80::1%eth0", "::ffff:172.20.0.1"],
  bad: [
    "fe80",
    "1::2::3",
    "12345::",
    "2001:db8:0:0:0:0:0:0:1",
    "fe80::1/64",
    "::ffff:172.20.0.256",
    "172.20.0.1",
  ],
};

testRows(
  validationRows,
  {
    "invalid-touched": async ({ page }) => {
      await openDetails(page, "Both", "No");
      const labels = [...Object.keys(always), ...Object.keys(ipv4), ...Object.keys(ipv6)];
      for (const label of labels) {
        const field = page.getByLabel(label, { exact: true });
        await field.fill("!");
        expect(await field.getAttribute("aria-invalid")).toBe("false");
        await field.blur();
        await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
      }
      expect(await text(page, "Invalid value").count()).toBe(labels.length);
    },
    "invalid-text": async ({ page }) => {
      await openDetails(page, "IPv4");
      await fill(page, { Port: "x" });
      expect(await text(page, "Invalid value").count()).toBe(0);
      await page.getByLabel("Port").blur();
      await seen(text(page, "Invalid value"));
    },
    "remote-ip-required": isRequired("Public IP or hostname"),
    "remote-ip-dotted": fieldAccepts("Public IP or hostname", {
      good: dotted.good,
      bad: ["256.1.1.1", "1.2.3", "1.2.3.4.5", "1.2.3.4/32"],
    }),
    "remote-ip-host": fieldAccepts("Public IP or hostname", {
      good: ["example.org", "a.b-c.example.org", "r1.example.net"],
      bad: [
        "localhost",
        "example.1",
        "-a.example.org",
        "a..example.org",
        "exa mple.org",
        "https://example.org",
      ],
    }),
    "port-required": isRequired("Port"),
    "port-range": fieldAccepts("Port", ports),
    "port-range-constant": async ({ page }) => {
      await openDetails(page, "IPv4");
      expect(await accepted(page, "Port", ["0", "1", "65535", "65536"])).toEqual(["1", "65535"]);
    },
    "peer-ipv4": fieldAccepts("IPv4 tunnel address", dotted),
    "peer-ipv6": fieldAccepts("IPv6 tunnel address", ipv6Forms, "IPv6"),
    "local-ipv6": async ({ page }) => {
      await openFamilyStep(page);
      await family(page, "IPv6");
      await custom(page, "Yes");
      expect(await accepted(page, customLabel, [...ipv6Forms.good, ...ipv6Forms.bad])).toEqual(
        ipv6Forms.good,
      );
    },
    "local-ipv6-optional": async ({ page }) => {
      await openFamilyStep(page);
      await family(page, "Both");
      await extendedNextHop(page, "Yes");
      await custom(page, "Yes");
      expect(await accepted(page, customLabel, [""])).toEqual([""]);
      await enabled(button(page, "Next"), true);
    },
    "key-required": isRequired("Public key"),
    "key-base64": fieldAccepts("Public key", {
      good: [always["Public key"], "YWJj", "YWI=", "YQ=="],
      bad: ["YQ", "YQ=", "YWJj=", "YW=j", "YWJ*", "x"],
    }),
    "next-always": async ({ page }) => {
      await openDetails(page, "IPv4");
      await fill(page, { ...always, ...ipv4 });
      await enabled(button(page, "Next"), true);
      for (const [label, value] of Object.entries(always)) {
        await fill(page, { [label]: "!" });
        await enabled(button(page, "Next"), false);
        await fill(page, { [label]: value });
        await enabled(button(page, "Next"), true);
      }
    },
    "next-ipv4": nextNeeds(ipv4, "IPv4"),
    "next-both-yes": nextNeeds(ipv6, "Both", "Yes"),
    "next-both-no": nextNeeds(ipv4, "Both", "No"),
    "next-ipv6": async ({ page }) => {
      await openDetails(page, "IPv6");
      await fill(page, always);
      await seen(page.getByLabel("IPv6 tunnel address"));
      await enabled(button(page, "Next"), true);
      await fill(page, { "IPv6 tunnel address": "!" });
      await enabled(button(page, "Next"), false);
    },
  },
  { signedIn: true },
);
