import { expect } from "vitest";
import { type RowTest, testRows } from "./rows.ts";
import { validationRows } from "../table/validation.ts";
import { blur, button, expectEnabled, expectShown, field, fill, readAttribute, text } from "./screen.ts";
import {
  always,
  custom,
  customLabel,
  extendedNextHop,
  family,
  type Family,
  ipv4,
  ipv6,
  openDetails,
  openFamilyStep,
} from "./wizard.ts";

/** Enters each value, leaves the field, and returns the values that are not marked as invalid. */
async function accepted(label: string, values: readonly string[]): Promise<string[]> {
  const good: string[] = [];
  for (const value of values) {
    await fill({ [label]: value });
    await blur(field(label));
    const invalid = await readAttribute(field(label), "aria-invalid");
    expect(text("Invalid value")()).toHaveLength(invalid === "true" ? 1 : 0);
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
  async ({ app }) => {
    await openDetails(app, choice);
    expect(await accepted(label, [...good, ...bad])).toEqual(good);
  };

/** With valid values in all other fields, Next is disabled while the field is empty. */
const isRequired =
  (label: string): RowTest =>
  async ({ app }) => {
    await openDetails(app, "IPv4");
    await fill({ ...always, ...ipv4 });
    await expectEnabled(button("Next"), true);
    await fill({ [label]: "" });
    await expectEnabled(button("Next"), false);
    await blur(field(label));
    await expectShown(text("Invalid value"));
  };

const nextNeeds =
  (needed: Readonly<Record<string, string>>, choice: Family, extnh?: "Yes" | "No"): RowTest =>
  async ({ app }) => {
    await openDetails(app, choice, extnh);
    await fill(always);
    await expectEnabled(button("Next"), false);
    for (const label of Object.keys(needed)) await fill({ [label]: "1" });
    await expectEnabled(button("Next"), false);
    await fill(needed);
    await expectEnabled(button("Next"), true);
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
    "invalid-touched": async ({ app }) => {
      await openDetails(app, "Both", "No");
      const labels = [...Object.keys(always), ...Object.keys(ipv4), ...Object.keys(ipv6)];
      for (const label of labels) {
        await fill({ [label]: "!" });
        expect(await readAttribute(field(label), "aria-invalid")).toBe("false");
        await blur(field(label));
        expect(await readAttribute(field(label), "aria-invalid")).toBe("true");
      }
      expect(text("Invalid value")()).toHaveLength(labels.length);
    },
    "invalid-text": async ({ app }) => {
      await openDetails(app, "IPv4");
      await fill({ Port: "x" });
      expect(text("Invalid value")()).toHaveLength(0);
      await blur(field("Port"));
      await expectShown(text("Invalid value"));
    },
    "remote-ip-required": isRequired("Public IP or hostname"),
    "remote-ip-dotted": fieldAccepts("Public IP or hostname", {
      good: dotted.good,
      bad: ["256.1.1.1", "1.2.3", "1.2.3.4.5", "1.2.3.4/32"],
    }),
    "remote-ip-host": fieldAccepts("Public IP or hostname", {
      good: ["example.org", "a.b-c.example.org", "r1.example.net", "router.example.c", "r.xn--p1ai"],
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
    "port-range-constant": async ({ app }) => {
      await openDetails(app, "IPv4");
      expect(await accepted("Port", ["0", "1", "65535", "65536"])).toEqual(["1", "65535"]);
    },
    "peer-ipv4": fieldAccepts("IPv4 tunnel address", dotted),
    "peer-ipv6": fieldAccepts("IPv6 tunnel address", ipv6Forms, "IPv6"),
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
    "key-required": isRequired("Public key"),
    "key-base64": fieldAccepts("Public key", {
      good: [always["Public key"], "YWJj", "YWI=", "YQ=="],
      bad: ["YQ", "YQ=", "YWJj=", "YW=j", "YWJ*", "x"],
    }),
    "next-always": async ({ app }) => {
      await openDetails(app, "IPv4");
      await fill({ ...always, ...ipv4 });
      await expectEnabled(button("Next"), true);
      for (const [label, value] of Object.entries(always)) {
        await fill({ [label]: "!" });
        await expectEnabled(button("Next"), false);
        await fill({ [label]: value });
        await expectEnabled(button("Next"), true);
      }
    },
    "next-ipv4": nextNeeds(ipv4, "IPv4"),
    "next-both-yes": nextNeeds(ipv6, "Both", "Yes"),
    "next-both-no": nextNeeds(ipv4, "Both", "No"),
    "next-ipv6": async ({ app }) => {
      await openDetails(app, "IPv6");
      await fill(always);
      await expectShown(field("IPv6 tunnel address"));
      await expectEnabled(button("Next"), true);
      await fill({ "IPv6 tunnel address": "!" });
      await expectEnabled(button("Next"), false);
    },
  },
  { isLoggedIn: true },
);
