import { expect, test } from "vitest";
import { findWrongSettings } from "./interface-settings.ts";

test("finds the interfaces that filter by path or do not forward a family", () => {
  const printed = [
    { family: "inet", interface: "dn42_1", forwarding: true, rp_filter: "off", mc_forwarding: false },
    { family: "inet", interface: "dn42_2", forwarding: true, rp_filter: "loose", mc_forwarding: false },
    { family: "inet", interface: "dn42_3", forwarding: false, rp_filter: "off", mc_forwarding: false },
    { family: "inet", interface: "dn42_4", forwarding: true, rp_filter: "off", mc_forwarding: false },
    { family: "inet6", interface: "dn42_1", forwarding: true, mc_forwarding: false },
    { family: "inet6", interface: "dn42_4", forwarding: false, mc_forwarding: false },
  ];
  expect(findWrongSettings(JSON.stringify(printed))).toEqual(new Set(["dn42_2", "dn42_3", "dn42_4"]));
});
