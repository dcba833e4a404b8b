import { act, screen, within } from "@testing-library/react";
import type { QueryClient } from "@tanstack/react-query";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { DeploymentType } from "#contract/app/screens.ts";
import { type CallName, calls } from "#contract/calls.ts";
import { submitDeletion } from "#mocks/deployments.ts";
import { specialHosts } from "#mocks/deployment-scenarios.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { fillToConfirm } from "../../spec/jsdom/wizard.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { stubBrowserApis } from "../notifications/stub-browser.ts";
import { submitTo, until, useStoppedIntervals } from "./live-scene.ts";
import { openWizard, press } from "../wizard/open-wizard.tsx";
import { parentOf } from "../../support/parent-of.ts";

const backend = useBackend();

useStoppedIntervals();
afterEach(() => void vi.restoreAllMocks());

const polls = () => backend.sent("getTaskStatus").length;
const completionMessages = () => within(screen.getByRole("region", { name: "Finished deployments" }));

/** Opens a screen without a deployment, and waits for the watcher's first poll. */
async function openElsewhere(address = "/manager?view=contact") {
  backend.state.loggedInAs = participant.asn;
  const app = await openApp(address);
  await until(() => polls() === 1);
  await watching(app.queryClient);
  return app;
}

/** Waits until the pending poll has ended. */
async function watching(queryClient: QueryClient): Promise<void> {
  await until(() => queryClient.isFetching({ queryKey: ["task-poll"] }) === 0);
}

async function pollOnce(queryClient: QueryClient): Promise<void> {
  const before = polls();
  vi.advanceTimersByTime(5_000);
  await until(() => polls() > before);
  await watching(queryClient);
}

async function pollToEnd(queryClient: QueryClient): Promise<void> {
  while (backend.state.tasks[0]?.task.status === "waiting") await pollOnce(queryClient);
}

const syd01 = () => screen.getByRole<HTMLButtonElement>("button", { name: /^syd01/ });

describe("a deployment that was submitted elsewhere", () => {
  it("is watched on any screen, and its end is shown with a link to its screen", async () => {
    submitTo(backend, "router.example.org");
    const { queryClient, user, address } = await openElsewhere();
    await pollToEnd(queryClient);
    await completionMessages().findByText("Your peering is deployed to syd01.dn42.example.net.");
    const ended = polls();
    vi.advanceTimersByTime(60_000);
    expect(polls()).toBe(ended);
    await user.click(completionMessages().getByRole("link", { name: "See the config for your side" }));
    await screen.findByRole("heading", { name: "Success!" });
    expect(address()).toBe("/manager/updatepeer/edit?node=syd01&step=awaitingDeployment&task=mock-1");
    expect(completionMessages().queryByText(/deployed/)).toBeNull();
  });

  it("is shown as failed until the message is closed, in a hidden tab too without notifications", async () => {
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    submitTo(backend, specialHosts.unresolved);
    const { queryClient, user } = await openElsewhere();
    await pollToEnd(queryClient);
    await completionMessages().findByText(
      "The deployment to syd01.dn42.example.net failed. Nothing was changed.",
    );
    expect(completionMessages().getByRole("link", { name: "See why and try again" })).toBeTruthy();
    await user.click(completionMessages().getByRole("button", { name: "Close" }));
    expect(completionMessages().queryByText(/failed/)).toBeNull();
  });

  it("is not shown in a hidden tab if a notification shows it", async () => {
    const { toWorker } = stubBrowserApis("granted");
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    submitTo(backend, "router.example.org");
    const { queryClient } = await openElsewhere();
    await pollToEnd(queryClient);
    await until(() => toWorker.length === 1);
    await act(async () => undefined);
    expect(completionMessages().queryByText(/deployed/)).toBeNull();
  });

  it("makes the open screen refetch when it ends", async () => {
    addPeering(backend.state);
    submitDeletion(backend.state, participant.asn, "syd01");
    const { queryClient } = await openElsewhere("/manager/updatepeer/new");
    expect(syd01().disabled).toBe(true);
    await pollToEnd(queryClient);
    expect(
      await completionMessages().findByText("Your peering on syd01.dn42.example.net is deleted."),
    ).toBeTruthy();
    await until(() => !syd01().disabled);
  });
});

describe("a deployment that was submitted here", () => {
  it("removes its draft when it succeeds on another screen", async () => {
    const { router, queryClient } = await openWizard(backend);
    await fillToConfirm();
    await press("Submit");
    await screen.findByText("mock-1");
    await router.navigate({ to: "/manager" });
    await screen.findByRole("heading", { name: "Dashboard" });
    await pollToEnd(queryClient);
    await completionMessages().findByText("Your peering is deployed to syd01.dn42.example.net.");
    await router.navigate({ to: "/manager/updatepeer/$type", params: { type: "new" } });
    await screen.findByRole("heading", { name: "Select a node" });
    expect(screen.queryByRole("button", { pressed: true })).toBeNull();
  });

  it("leaves a draft for another node alone", async () => {
    const { router, queryClient } = await openWizard(backend);
    await fillToConfirm();
    await press("Submit");
    await screen.findByText("mock-1");
    await router.navigate({ to: "/manager/updatepeer/$type", params: { type: "new" } });
    await screen.findByRole("heading", { name: "Select a node" });
    await press("de01.dn42.example.net Frankfurt, Germany");
    await pollToEnd(queryClient);
    await completionMessages().findByText("Your peering is deployed to syd01.dn42.example.net.");
    await router.navigate({ to: "/manager" });
    await screen.findByRole("heading", { name: "Dashboard" });
    await router.navigate({ to: "/manager/updatepeer/$type", params: { type: "new" } });
    expect(await screen.findByRole("button", { name: /^de01/, pressed: true })).toBeTruthy();
  });
});

/** Opens the screen of a task as a reload does, and waits for its first response. */
async function openTask(host: string, type: DeploymentType = "new"): Promise<QueryClient> {
  const taskID = submitTo(backend, host);
  const address = `/manager/updatepeer/${type}?node=syd01&step=awaitingDeployment&task=${taskID}`;
  const { queryClient } = await openElsewhere(address);
  await screen.findByText("waiting");
  return queryClient;
}

describe("the screen of a deployment", () => {
  it("shows the steps taken, what it waits for, and the end after polls that failed", async () => {
    const queryClient = await openTask("router.example.org");
    expect(screen.getByText("Waiting for syd01.dn42.example.net to respond.")).toBeTruthy();
    const steps = within(screen.getByRole("list", { name: "Steps taken" })).getAllByRole("listitem");
    expect(steps.map((step) => step.textContent)).toEqual(["Handed the peering to syd01.dn42.example.net."]);
    backend.cutOff("getTaskStatus");
    await pollOnce(queryClient);
    await screen.findByText(/^The last status check failed\./);
    backend.restore();
    await pollToEnd(queryClient);
    expect(await screen.findByRole("heading", { name: "Success!" })).toBeTruthy();
    expect(screen.queryByText(/^The last status check failed\./)).toBeNull();
  });

  it("offers to reload the config if it could not be loaded, and includes the files for the participant's router", async () => {
    const status = { node: "syd01", bgp_status: "OK", wg_status: { state: "Up" }, latency: "12.4 ms" };
    backend.reply("getPeerStatus", [{ ...status, findings: [{ code: "no-endpoint", facts: {} }] }]);
    backend.refuseOnce("getNodeConfig", 403, { message: "Not now." });
    await pollToEnd(await openTask("router.example.org"));
    await press("Retry");
    expect((await screen.findByRole("region", { name: "BIRD 2" })).textContent).toContain(
      "neighbor fe80::2227:1 % 'dn42_2227_syd01' as 4242422227;",
    );
    expect(parentOf(screen.getByText(/is a suggestion\./, { selector: "p > span" })).textContent).toMatch(
      /^The name dn42_2227_syd01 is a suggestion\./,
    );
    // A router that connects to the node needs no endpoint.
    expect(await screen.findByText("Your router connects to the node")).toBeTruthy();
    expect(screen.queryByText("Endpoint resolves")).toBeNull();
  });

  it("waits for the participant's router in grey, at the first rung that it concerns, and asks for no fix", async () => {
    const status = { node: "syd01", bgp_status: "Down", wg_status: { state: "Down" }, latency: "" };
    const findings = ["router-awaited", "session-awaited"].map((code) => ({ code, facts: {} }));
    backend.reply("getPeerStatus", [{ ...status, findings }]);
    await pollToEnd(await openTask("router.example.org"));
    const box = (await screen.findByText("Waiting for your router.")).closest(".finding");
    expect(box?.textContent).toMatch(
      /^Waiting for your router\. The node is ready and waits for the first handshake/,
    );
    const rungs = within(screen.getByRole("region", { name: "Is it up?" })).getAllByRole("listitem");
    expect(rungs.map((rung) => [rung.dataset["state"], rung.contains(box)])).toEqual([
      ["good", false],
      ["waiting", true],
      ["waiting", false],
      ["waiting", false],
    ]);
    expect(screen.queryByRole("button", { name: /^(How to fix it|What comes next|What to do)/ })).toBeNull();
  });

  it("shows a failure with the server's reason and the steps taken", async () => {
    await pollToEnd(await openTask(specialHosts.unresolved, "edit"));
    await screen.findByRole("heading", { name: "Failed" });
    expect(screen.getByRole("alert").textContent).toMatch(/^unresolved\.example\.org does not resolve/);
    expect(screen.getByText("BIRD accepted the new configuration.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Review and redeploy" })).toBeNull();
  });
});

it("makes no call that needs a login session before the login", async () => {
  // Loaded here, so that it would ask at once.
  await import("#web/logged-in-services.tsx");
  const { router } = await openApp("/");
  await until(() => backend.sent("authStatus").length > 0);
  await router.navigate({ to: "/status" });
  await screen.findByText(/^syd01/);
  const takeSession = Object.entries(calls).filter(([, { access }]) => access === "participant");
  const sentCalls = takeSession.filter(([name]) => backend.sent(name as CallName).length > 0);
  expect(sentCalls.map(([name]) => name)).toEqual([]);
  backend.state.loggedInAs = participant.asn;
  await router.navigate({ to: "/about" });
  await until(() => backend.sent("getTasks").length > 0);
});
