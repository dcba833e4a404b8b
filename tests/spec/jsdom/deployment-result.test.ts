import { expect } from "vitest";
import { type RowVisit, testRows } from "./rows.ts";
import { deploymentResultRows } from "../table/deployment-result.ts";
import {
  button,
  byRole,
  click,
  expectAddress,
  expectShown,
  field,
  heading,
  link,
  main,
  readAttribute,
  readFacts,
  readTexts,
  readValue,
  region,
  submit,
  text,
} from "./screen.ts";
import { deleteAfter, openTask } from "./deployment-screen.ts";
import { openConfirm } from "./wizard.ts";

const unreachable = "The server could not be reached. Check your connection and try again.";

async function expectUnknownFailure(): Promise<void> {
  await expectShown(heading("Failed"));
  expect(await readFacts(main)).toEqual({ "Task ID": "unknown" });
}

async function submitAfter({ app }: RowVisit, change: () => void): Promise<void> {
  await openConfirm(app);
  change();
  await submit();
}

async function expectDeletionFailure(): Promise<void> {
  await expectUnknownFailure();
  await expectShown(text("Failed to delete the peering. Please try again or contact support."));
}

testRows(deploymentResultRows, {
  "submit-refused": async (visit) => {
    const { backend } = visit;
    await submitAfter(visit, () => backend.state.failing.push("updatePeerConfig"));
    await expectUnknownFailure();
    await expectShown(text("The mock fails on demand. Everything you entered is kept.", byRole("alert")));
    await click(button("Review and redeploy"));
    backend.cutOff("updatePeerConfig");
    await submit();
    await expectUnknownFailure();
    await expectShown(text(`${unreachable} Everything you entered is kept.`, byRole("alert")));
  },
  "submit-refused-value": async (visit) => {
    await submitAfter(visit, () =>
      visit.backend.refuse("updatePeerConfig", 422, {
        message: "That is one of our nodes.",
        field: "remote_ip",
      }),
    );
    await expectShown(heading("Your details"), text("That is one of our nodes."));
    expect(await readValue(field("Public IP or hostname"))).toBe("router.example.org");
  },
  "delete-refused": async (visit) => {
    await deleteAfter(visit, () => visit.backend.state.failing.push("deletePeer"));
    await expectDeletionFailure();
    await deleteAfter(visit, () => visit.backend.cutOff("deletePeer"));
    await expectDeletionFailure();
  },
  "success-facts": async (visit) => {
    visit.backend.reply("getNodeConfig", {
      public_ip: "192.0.2.11",
      local_ipv4: "172.20.129.17",
      local_ipv6: "fe80::2227:1",
      public_key: "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=",
    });
    openTask(visit, "success");
    const config = region("Here is the config for your side:");
    expect(await readFacts(config)).toEqual({
      "IP/port": "192.0.2.11:20001",
      "Tunnel IPv4": "172.20.129.17",
      "Tunnel IPv6": "fe80::2227:1",
      "Public key": "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=",
      ASN: "4242422227",
    });
    await expectShown(heading("Success!"), text("This config stays available later under Edit Config."));
  },
  "failure-review": async (visit) => {
    await submitAfter(visit, () => visit.backend.state.failing.push("updatePeerConfig"));
    await click(button("Review and redeploy"));
    await expectShown(heading("Confirm your details"));
    expect(await readFacts(main)).toMatchObject({ Port: "51820" });
    visit.backend.state.failing.length = 0;
    await submit();
    await expectShown(text("mock-1"));
  },
  "failure-view": async (visit) => {
    for (const type of ["new", "edit"] as const) {
      openTask(visit, "failed", type);
      await expectShown(heading("Failed"), heading("Possible causes"));
      expect((await readFacts(main))["Task ID"]).toBe("t-1");
      expect(readTexts(byRole("listitem", undefined, main))).toEqual([
        "The node might be offline or having issues (check the status page).",
        "There is an issue with the configuration being deployed (review and redeploy).",
        "The hostname does not resolve to an IP address.",
      ]);
      await expectShown(text("Please contact Example Transit support for further assistance."));
      expect(await readAttribute(link("status page"), "href")).toBe("/status");
      await click(link("Back to home"));
      await expectAddress(visit.app, "/");
    }
  },
  "failure-contact": async (visit) => {
    openTask(visit, "failed");
    await expectShown(text("Please contact Example Transit support for further assistance."));
    await click(link("contact Example Transit support"));
    await expectShown(heading("Contact"));
    expect(await readValue(field("Your message"))).toBe("Task ID: t-1\n\n");
  },
  "delete-success": async (visit) => {
    openTask(visit, "success", "delete");
    await expectShown(text("You have successfully deleted the peering on this node."));
    expect(visit.backend.sent("getPeerConfig")).toEqual([]);
    await click(link("Close"));
    await expectAddress(visit.app, "/");
  },
  "delete-failure": async (visit) => {
    openTask(visit, "failed", "delete");
    await expectShown(text("Failed to delete the peering. Please try again or contact support."));
    await click(link("Close"));
    await expectAddress(visit.app, "/");
  },
});
