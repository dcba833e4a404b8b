import { expect } from "vitest";
import type { Backend } from "../../support/scripted-backend.ts";
import { waitFor } from "../../support/wait-for.ts";
import { testRows } from "./rows.ts";
import { wizardRuleRows } from "../table/wizard-rules.ts";
import {
  blur,
  button,
  click,
  expectAddress,
  expectEnabled,
  expectShown,
  field,
  fill,
  heading,
  main,
  readAttribute,
  readFacts,
  readValue,
  submit,
  text,
} from "./screen.ts";
import {
  always,
  chosen,
  custom,
  customLabel,
  extendedNextHop,
  family,
  ipv4,
  ipv6,
  next,
  openConfirm,
  openDetails,
  openFamilyStep,
  publicKey,
  toConfirm,
  toDetails,
} from "./wizard.ts";

const back = () => click(button("Back"));

/** The second item of the body that a submit sent. */
const submitted = (backend: Backend) =>
  backend.received("updatePeerConfig").map(({ body }) => (body as readonly unknown[])[1]);

/** Expects that a field has no error until it loses the focus, and none as soon as its value is valid. */
async function expectFieldState(label: string, valid: string): Promise<void> {
  const invalid = () => readAttribute(field(label), "aria-invalid");
  await fill({ [label]: "!" });
  expect([label, await invalid()]).toEqual([label, "false"]);
  await blur(field(label));
  expect([label, await invalid()]).toEqual([label, "true"]);
  await fill({ [label]: valid });
  expect([label, await invalid()]).toEqual([label, "false"]);
  expect(await readValue(field(label))).toBe(valid);
}

testRows(wizardRuleRows, {
  "wizard-forward": async ({ app }) => {
    await openConfirm(app);
    for (const title of ["Your details", "BGP details", "Select a node"]) {
      await back();
      await expectShown(heading(title));
    }
    // The wizard could skip complete steps only: it stops at an incomplete one.
    for (const title of ["BGP details", "Your details", "Confirm your details"]) {
      await next();
      await expectShown(heading(title));
    }
  },
  "rule-ipv4": async ({ app }) => {
    await openFamilyStep(app);
    await family("Both");
    await extendedNextHop("Yes");
    await custom("Yes");
    await fill({ [customLabel]: "fe80::3" });
    await custom("No");
    await custom("Yes");
    expect(await readValue(field(customLabel))).toBe("");
    await fill({ [customLabel]: "fe80::2" });
    await toDetails();
    await fill(ipv6);
    await back();
    await family("IPv4");
    await family("Both");
    expect(chosen(/Extended Nexthop/)).toEqual([]);
    expect(chosen(/custom/)).toEqual([]);
    await extendedNextHop("Yes");
    await custom("Yes");
    expect(await readValue(field(customLabel))).toBe("");
    await toDetails();
    expect(await readValue(field("IPv6 tunnel address"))).toBe("");
  },
  "rule-ipv6": async ({ app, backend }) => {
    await openDetails(app, "IPv4");
    await fill(ipv4);
    await back();
    await family("IPv6");
    await family("IPv4");
    await toDetails();
    expect(await readValue(field("IPv4 tunnel address"))).toBe("");
    await back();
    await family("IPv6");
    await family("Both");
    expect(chosen(/Extended Nexthop/)).toEqual([]);
    await expectEnabled(button("Next"), false);
    await extendedNextHop("Yes");
    await family("IPv6");
    await toDetails();
    await fill({ ...always, ...ipv6 });
    await toConfirm();
    await submit();
    await expectShown(text("mock-1"));
    expect(submitted(backend)).toMatchObject([{ address_family: "IPv6", bgp_extnh: "No", local_ipv6: "" }]);
    expect(backend.state.peerings[0]?.peering.localIpv6).toBe("fe80::2227:1");
  },
  "rule-both": async ({ app }) => {
    await openDetails(app, "IPv4");
    await fill(ipv4);
    for (const [extnh, shown] of [
      ["No", [ipv4["IPv4 tunnel address"]]],
      ["Yes", []],
      ["No", [""]],
    ] as const) {
      await back();
      await family("Both");
      await extendedNextHop(extnh);
      await toDetails();
      const fields = field("IPv4 tunnel address")() as HTMLInputElement[];
      expect([extnh, fields.map(({ value }) => value)]).toEqual([extnh, shown]);
    }
  },
  "form-field-state": async ({ app }) => {
    await openFamilyStep(app);
    await family("Both");
    await extendedNextHop("No");
    await custom("Yes");
    await expectFieldState(customLabel, "fe80::2");
    await toDetails();
    for (const [label, valid] of Object.entries({ ...always, ...ipv4, ...ipv6 }))
      await expectFieldState(label, valid);
  },
  "form-field-error": async ({ app, backend }) => {
    await openFamilyStep(app);
    await family("Both");
    await extendedNextHop("No");
    await custom("Yes");
    await toDetails();
    await fill({ ...always, ...ipv4, ...ipv6 });
    for (const [name, step] of [
      ["public_key", "Your details"],
      ["local_ipv6", "BGP details"],
      ["bgp_extnh", "BGP details"],
      ["address_family", "BGP details"],
      ["node", "Select a node"],
    ] as const) {
      const message = `The ${name} is refused.`;
      backend.refuse("updatePeerConfig", 422, { message, field: name });
      while (button("Submit")().length === 0) await next();
      await submit();
      await expectShown(heading(step), text(new RegExp(message)));
    }
  },
  "payload-ipv4": async ({ app, backend }) => {
    await openConfirm(app);
    expect(await readFacts(main)).toMatchObject({
      "Address family": "IPv4",
      "Extended Nexthop": "No",
      "IPv6 tunnel address": "[not provided]",
      "Our tunnel IPv6": "[not provided]",
    });
    await submit();
    await expectAddress(app, "/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=mock-1");
    await waitFor(() => expect(submitted(backend)).toHaveLength(1));
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
  "payload-both": async ({ app, backend }) => {
    await openFamilyStep(app);
    await family("Both");
    await extendedNextHop("Yes");
    await custom("Yes");
    await fill({ [customLabel]: "fe80::2" });
    await toDetails();
    await fill({ ...always, ...ipv6 });
    await toConfirm();
    await submit();
    await expectShown(text("mock-1"));
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
});
