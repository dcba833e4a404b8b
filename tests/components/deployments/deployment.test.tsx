import { screen, within } from "@testing-library/react";
import type { QueryClient } from "@tanstack/react-query";
import type { DeploymentType } from "#contract/app/screens.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { submitUpdate } from "#mocks/deployments.ts";
import { specialHosts } from "#mocks/deployment-scenarios.ts";
import { sampleUpdate } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

// Only intervals are faked: polls wait for the test, everything else runs.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Resolves when the pending or the next poll has ended, with or without a response. */
function pollEnded(queryClient: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== "updated" || event.query.queryKey[0] !== "task-poll") return;
      if (event.action.type !== "success" && event.action.type !== "error") return;
      unsubscribe();
      resolve();
    });
  });
}

/** Opens the screen of a task as a reload does, and waits for its first response. */
async function openTask(type: DeploymentType, taskID: string) {
  backend.state.loggedInAs = participant.asn;
  const { router } = await openApp(
    `/manager/updatepeer/${type}?node=syd01&step=awaitingDeployment&task=${taskID}`,
  );
  await screen.findByText("waiting");
  const { queryClient } = router.options.context;
  return {
    /** Lets exactly this much time pass until the next poll, and waits for its end. */
    pollAfter: async (milliseconds: number) => {
      const ended = pollEnded(queryClient);
      vi.advanceTimersByTime(milliseconds - 1);
      expect(queryClient.isFetching({ queryKey: ["task-poll"] })).toBe(0);
      vi.advanceTimersByTime(1);
      await ended;
    },
  };
}

type OpenTask = Awaited<ReturnType<typeof openTask>>;

function deploy(host: string): string {
  return submitUpdate(backend.state, participant.asn, { ...sampleUpdate, remote_ip: host }).taskID;
}

/** Polls until the task has ended on the mock backend, and the screen shows it. */
async function pollToEnd({ pollAfter }: OpenTask, heading: string) {
  while (backend.state.tasks[0]?.task.status === "waiting") await pollAfter(5_000);
  await screen.findByRole("heading", { name: heading });
}

it("a deployment under way shows the steps taken, what it waits for, and its end after polls that failed", async () => {
  const { pollAfter } = await openTask("new", deploy("router.example.org"));
  expect(screen.getByText("Waiting for syd01.dn42.example.net to respond.")).toBeTruthy();
  const steps = within(screen.getByRole("list", { name: "Steps taken" })).getAllByRole("listitem");
  expect(steps.map((step) => step.textContent)).toEqual(["Handed the peering to syd01.dn42.example.net."]);
  backend.cutOff("getTaskStatus");
  await pollAfter(5_000);
  await screen.findByText(/^The last status check failed\./);
  backend.restore();
  while (backend.state.tasks[0]?.task.status === "waiting") await pollAfter(5_000);
  expect(await screen.findByRole("heading", { name: "Success!" })).toBeTruthy();
  expect(screen.queryByText(/^The last status check failed\./)).toBeNull();
});

describe("the end of a deployment", () => {
  it("offers to reload the config if it could not be loaded, and includes the files for the participant's router", async () => {
    const status = { node: "syd01", bgp_status: "OK", wg_status: { state: "Up" }, latency: "12.4 ms" };
    backend.reply("getPeerStatus", [{ ...status, findings: [{ code: "no-endpoint", facts: {} }] }]);
    backend.refuseOnce("getNodeConfig", 403, { message: "Not now." });
    await pollToEnd(await openTask("new", deploy("router.example.org")), "Success!");
    (await screen.findByRole("button", { name: "Retry" })).click();
    expect((await screen.findByRole("region", { name: "BIRD 2" })).textContent).toContain(
      "neighbor fe80::2227:1 % 'dn42_2227_syd01' as 4242422227;",
    );
    expect(screen.getByText(/is a suggestion\./, { selector: "p" }).textContent).toMatch(
      /^The name dn42_2227_syd01 is a suggestion\./,
    );
    // A router that connects to the node needs no endpoint.
    expect(await screen.findByText("Your router connects to the node")).toBeTruthy();
    expect(screen.queryByText("Endpoint resolves")).toBeNull();
  });

  it("is a failure with the server's reason and the steps taken", async () => {
    await pollToEnd(await openTask("edit", deploy(specialHosts.unresolved)), "Failed");
    expect(screen.getByRole("alert").textContent).toMatch(/^unresolved\.example\.org does not resolve/);
    expect(screen.getByText("BIRD accepted the new configuration.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Review and redeploy" })).toBeNull();
  });
});
