/** What the device has stored of a deployment, after a reload of the page. */
import { cleanup, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { setOwner } from "#browser-storage/owner.ts";
import { readStoredDraft } from "#browser-storage/stored-drafts.ts";
import { readTasks, saveTask } from "#browser-storage/stored-tasks.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { useIndexedDb } from "../../support/indexed-db.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { press } from "../wizard/open-wizard.tsx";
import { useStoppedIntervals } from "./live-scene.ts";

const backend = useBackend();
useIndexedDb();
useStoppedIntervals();

const edit = "/manager/updatepeer/edit?node=syd01&step=enterDetails";

/** The port of the draft on the device; undefined if there is none. */
async function storedPort(): Promise<string | undefined> {
  const draft = await readStoredDraft(participant.asn, ["peering", "edit", "syd01"]);
  return (draft as { readonly form: { readonly remote_port: string } } | undefined)?.form.remote_port;
}

/** Submits another port, and reloads the form's page. */
async function submitPort(port: string) {
  addPeering(backend.state);
  backend.state.loggedInAs = participant.asn;
  await openApp(edit);
  await fill({ Port: port });
  await press("Next");
  await press("Submit");
  await screen.findByText("waiting");
  return reload(edit);
}

async function reload(address: string) {
  cleanup();
  return openApp(address);
}

/** Opens another screen and polls there until the deployment has succeeded. */
async function succeedElsewhere(): Promise<void> {
  await reload("/manager?view=contact");
  await screen.findByRole("heading", { name: "Contact" });
  await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
  await expect
    .poll(
      () => {
        vi.advanceTimersByTime(5_000);
        return screen.queryByText("Your peering is deployed to syd01.dn42.example.net.");
      },
      { timeout: 10_000 },
    )
    .not.toBeNull();
}

describe("the draft of a submitted form", () => {
  it("is deleted when the deployment has succeeded on another screen", async () => {
    await submitPort("51821");
    expect(await storedPort()).toBe("51821");
    await succeedElsewhere();
    await expect.poll(storedPort).toBeUndefined();
  });

  it("is kept if it was changed after the submit", async () => {
    await submitPort("51821");
    await fill({ Port: "51822" });
    await expect.poll(storedPort).toBe("51822");
    await succeedElsewhere();
    await reload(edit);
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Port" })).value).toBe("51822");
    expect(await storedPort()).toBe("51822");
  });
});

it("deployments that an earlier page watched are polled again, except those that the server has deleted by now", async () => {
  const username = participant.asn;
  const store = (taskID: string, startedAt: number) =>
    saveTask({ username, taskID, node: "syd01", type: "new", isStartedHere: true, startedAt });
  await setOwner(username);
  await store("t-old", Date.now() - 31 * 24 * 3_600_000);
  await store("t-recent", Date.now());
  backend.state.loggedInAs = username;
  await openApp("/manager");
  await expect.poll(() => backend.sent("getTaskStatus")).toEqual([{ username, taskID: "t-recent" }]);
  expect((await readTasks(username)).map(({ taskID }) => taskID)).toEqual(["t-recent"]);
});
