/** The draft of a submitted form on the device, after a reload of the page. */
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { transact } from "#browser-storage/database.ts";
import { readStoredDraft } from "#browser-storage/stored-drafts.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { useIndexedDb } from "../../support/window-properties.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { press } from "../wizard/open-wizard.tsx";

const backend = useBackend();
useIndexedDb();

beforeEach(async () => {
  // Polls wait for the test.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  await transact("readwrite", undefined, (store) => void store.clear());
});
afterEach(() => {
  vi.useRealTimers();
});

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
