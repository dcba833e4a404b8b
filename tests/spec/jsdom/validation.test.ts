import { expect } from "vitest";
import { testRows } from "./rows.ts";
import { validationRows } from "../table/validation.ts";
import {
  blur,
  button,
  click,
  expectEnabled,
  expectShown,
  field,
  fill,
  heading,
  readAttribute,
  text,
} from "./screen.ts";
import {
  always,
  custom,
  customLabel,
  extendedNextHop,
  family,
  ipv4,
  ipv6,
  openDetails,
  openFamilyStep,
  toDetails,
} from "./wizard.ts";

/** Enters each value, leaves the field, and returns the values that are not marked as invalid. */
async function accepted(label: string, values: readonly string[]): Promise<string[]> {
  const good: string[] = [];
  for (const value of values) {
    await fill({ [label]: value });
    await blur(field(label));
    const isRefused = text("Invalid value")().length > 0;
    // A value with a valid form may be marked for another reason: a private address as the public one.
    if (isRefused) expect(await readAttribute(field(label), "aria-invalid")).toBe("true");
    else good.push(value);
  }
  return good;
}

interface Values {
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

/** One value for each kind of error; the tests of the domain try every form. */
const ipv6Forms: Values = {
  good: ["2001:db8:0:0:0:0:0:1", "::1", "fe80::1%eth0", "::ffff:172.20.0.1"],
  bad: ["1::2::3", "fe80::1/64", "172.20.0.1"],
};
const forms: Readonly<Record<string, Values>> = {
  "Public IP or hostname": {
    good: ["172.20.0.53", "r1.example.net", "router.example.c", "r.xn--p1ai"],
    bad: ["256.1.1.1", "localhost", "example.1", "https://example.org"],
  },
  Port: { good: ["1", "65535"], bad: ["0", "65536", "080", "port"] },
  "Public key": { good: ["YWJj", "YWI=", "YQ=="], bad: ["YQ", "YWJj=", "YWJ*"] },
  "IPv4 tunnel address": { good: ["0.0.0.0", "255.255.255.255"], bad: ["256.1.1.1", "1.2.3", "1.2.3.4/32"] },
  "IPv6 tunnel address": ipv6Forms,
};

testRows(validationRows, {
  "details-required": async ({ app }) => {
    await openDetails(app, "IPv4");
    await fill({ ...always, ...ipv4 });
    for (const label of Object.keys(always)) {
      await fill({ [label]: "" });
      await expectEnabled(button("Next"), false);
      await blur(field(label));
      await expectShown(text("Invalid value"));
      await fill({ [label]: always[label as keyof typeof always] });
      await expectEnabled(button("Next"), true);
    }
  },
  "details-forms": async ({ app }) => {
    await openDetails(app, "Both", "No");
    for (const [label, { good, bad }] of Object.entries(forms))
      expect([label, ...(await accepted(label, [...bad, ...good]))]).toEqual([label, ...good]);
  },
  "local-ipv6": async ({ app }) => {
    await openFamilyStep(app);
    await family("IPv6");
    await custom("Yes");
    expect(await accepted(customLabel, [...ipv6Forms.good, ...ipv6Forms.bad])).toEqual(ipv6Forms.good);
  },
  "local-ipv6-optional": async ({ app }) => {
    await openFamilyStep(app);
    await family("Both");
    await extendedNextHop("Yes");
    await custom("Yes");
    expect(await accepted(customLabel, [""])).toEqual([""]);
    await expectEnabled(button("Next"), true);
  },
  "next-always": async ({ app }) => {
    await openFamilyStep(app);
    for (const [choice, extnh, tunnel] of [
      ["IPv4", undefined, ipv4],
      ["Both", "No", ipv4],
      ["Both", "Yes", ipv6],
    ] as const) {
      await family(choice);
      if (extnh !== undefined) await extendedNextHop(extnh);
      await toDetails();
      await fill({ ...always, ...tunnel });
      await expectEnabled(button("Next"), true);
      // Without one of the others: the row above, and they do not depend on the choice.
      for (const [label, value] of Object.entries(choice === "IPv4" ? { ...always, ...tunnel } : tunnel)) {
        for (const invalid of ["", "!"]) {
          await fill({ [label]: invalid });
          await expectEnabled(button("Next"), false);
        }
        await fill({ [label]: value });
        await expectEnabled(button("Next"), true);
      }
      await click(button("Back"));
      await expectShown(heading("BGP details"));
    }
  },
  "next-ipv6": async ({ app }) => {
    await openDetails(app, "IPv6");
    await fill(always);
    await expectShown(field("IPv6 tunnel address"));
    await expectEnabled(button("Next"), true);
    await fill({ "IPv6 tunnel address": "!" });
    await expectEnabled(button("Next"), false);
  },
});
