/** Screens while the server gives no response. */
import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { participant } from "#mocks/state.ts";
import { useBackend } from "../accounts/open-app.tsx";
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
