import { act, screen, within } from "@testing-library/react";
import type { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type CallName, calls } from "#contract/calls.ts";
import { submitDeletion, submitUpdate } from "#mocks/deployments.ts";
import { specialHosts } from "#mocks/deployment-scenarios.ts";
import { addPeering, sampleUpdate } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { fillToConfirm } from "../../spec/jsdom/wizard.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { stubBrowserApis } from "../notifications/stub-browser.ts";
import { until } from "./live-scene.ts";
import { openWizard, press } from "../wizard/open-wizard.tsx";

const backend = useBackend();

// Only intervals are faked: polls wait for the test, everything else runs.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const polls = () => backend.sent("getTaskStatus").length;
const completionMessages = () => within(screen.getByRole("region", { name: "Finished deployments" }));

function deploy(host: string): string {
  return submitUpdate(backend.state, participant.asn, { ...sampleUpdate, remote_ip: host }).taskID;
}

/** Opens a screen without a deployment, and waits for the watcher's first poll. */
async function openElsewhere(address = "/manager?view=contact") {
  backend.state.loggedInAs = participant.asn;
  const app = await openApp(address);
  await until(() => polls() === 1);
  await watching(app.router.options.context.queryClient);
  return app;
}

/** Waits until the pending poll has ended. */
async function watching(queryClient: QueryClient): Promise<void> {
  await until(() => queryClient.isFetching({ queryKey: ["task-poll"] }) === 0);
}

async function pollToEnd(queryClient: QueryClient): Promise<void> {
  while (backend.state.tasks[0]?.task.status === "waiting") {
    const before = polls();
    vi.advanceTimersByTime(5_000);
    await until(() => polls() > before);
    await watching(queryClient);
  }
}

const syd01 = () => screen.getByRole<HTMLButtonElement>("button", { name: /^syd01/ });

describe("a deployment that was submitted elsewhere", () => {
  it("is watched on any screen, and its end is shown with a link to its screen", async () => {
    deploy("router.example.org");
    const { router, user, address } = await openElsewhere();
    await pollToEnd(router.options.context.queryClient);
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
    deploy(specialHosts.unresolved);
    const { router, user } = await openElsewhere();
    await pollToEnd(router.options.context.queryClient);
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
    deploy("router.example.org");
    const { queryClient } = await openElsewhere();
    await pollToEnd(queryClient);
    await until(() => toWorker.length === 1);
    await act(async () => undefined);
    expect(completionMessages().queryByText(/deployed/)).toBeNull();
  });

  it("makes the open screen refetch when it ends", async () => {
    addPeering(backend.state);
    submitDeletion(backend.state, participant.asn, "syd01");
    const { router } = await openElsewhere("/manager/updatepeer/new");
    expect(syd01().disabled).toBe(true);
    await pollToEnd(router.options.context.queryClient);
    expect(
      await completionMessages().findByText("Your peering on syd01.dn42.example.net is deleted."),
    ).toBeTruthy();
    await until(() => !syd01().disabled);
  });
});

describe("a deployment that was submitted here", () => {
  it("removes its draft when it succeeds on another screen", async () => {
    const { router } = await openWizard(backend);
    await fillToConfirm();
    await press("Submit");
    await screen.findByText("mock-1");
    await router.navigate({ to: "/manager" });
    await screen.findByRole("heading", { name: "Dashboard" });
    await pollToEnd(router.options.context.queryClient);
    await completionMessages().findByText("Your peering is deployed to syd01.dn42.example.net.");
    await router.navigate({ to: "/manager/updatepeer/$type", params: { type: "new" } });
    await screen.findByRole("heading", { name: "Select a node" });
    expect(screen.queryByRole("button", { pressed: true })).toBeNull();
  });

  it("leaves a draft for another node alone", async () => {
    const { router } = await openWizard(backend);
    await fillToConfirm();
    await press("Submit");
    await screen.findByText("mock-1");
    await router.navigate({ to: "/manager/updatepeer/$type", params: { type: "new" } });
    await screen.findByRole("heading", { name: "Select a node" });
    await press("de01.dn42.example.net Frankfurt, Germany");
    await pollToEnd(router.options.context.queryClient);
    await completionMessages().findByText("Your peering is deployed to syd01.dn42.example.net.");
    await router.navigate({ to: "/manager" });
    await screen.findByRole("heading", { name: "Dashboard" });
    await router.navigate({ to: "/manager/updatepeer/$type", params: { type: "new" } });
    expect(await screen.findByRole("button", { name: /^de01/, pressed: true })).toBeTruthy();
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
