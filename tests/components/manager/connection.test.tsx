/** Screens while the server gives no response. */
import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { StubEventSource } from "../deployments/stub-event-source.ts";
import { openView } from "./open-view.tsx";

const backend = useBackend();

beforeEach(() => {
  StubEventSource.opened = [];
  vi.stubGlobal("EventSource", StubEventSource);
});

const contactNotice = () =>
  screen.queryByText(/^The server is unreachable, so messages cannot be sent now\./);
const offlineNotice = () => screen.queryByText(/^No connection to the server\./);

it("a screen without reads says so when the event stream is lost, and when it is back", async () => {
  await openView(backend, "/manager?view=contact", "Contact");
  await expect.poll(() => StubEventSource.opened.length).toBe(1);
  const [stream] = StubEventSource.opened;
  const connect = () => stream?.say("hello", { username: participant.asn });
  connect();
  expect([contactNotice(), offlineNotice()]).toEqual([null, null]);
  for (const name of ["authStatus", "getTasks", "getPeerStatus"] as const) backend.cutOff(name);
  stream?.fail(0);
  await screen.findByText(/^No connection to the server\./, {}, { timeout: 5_000 });
  expect(contactNotice()).toBeTruthy();
  backend.restore();
  connect();
  await expect.poll(() => [contactNotice(), offlineNotice()]).toEqual([null, null]);
});

it("a screen that was never opened says that the server could not be reached", async () => {
  addPeering(backend.state());
  backend.state().loggedInAs = participant.asn;
  backend.cutOff("getPeerConfig");
  const { user } = await openApp("/manager?node=syd01&tab=edit");
  await screen.findByText(/The server could not be reached/, {}, { timeout: 5_000 });
  backend.restore();
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "Current configuration" })).toBeTruthy();
});
