/** Another account logs in from another tab: data of the first account disappears from this one. */
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { chooseNode, family } from "../../spec/jsdom/wizard.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openView } from "../manager/open-view.tsx";
import { StubEventSource } from "../deployments/stub-event-source.ts";
import { openWizard, press } from "./open-wizard.tsx";

const backend = useBackend();
const other = "4242420002";
const message = () => screen.getByLabelText<HTMLTextAreaElement>("Your message");
const otherAccountLabel = () => screen.findAllByText(`AS${other}`);

beforeEach(() => {
  backend.state.accounts[other] = "password";
});

it("restarts the wizard", async () => {
  await openWizard(backend);
  await chooseNode();
  await family("IPv4");
  await press("Next");
  await fill({ "Public IP or hostname": "router.of-the-first.example" });
  backend.state.loggedInAs = other;
  await press("Back");
  await otherAccountLabel();
  await screen.findByRole("heading", { name: "Select a node" });
  expect(screen.queryByRole("button", { pressed: true })).toBeNull();
  await chooseNode();
  await family("IPv4");
  await press("Next");
  const host = await screen.findByRole<HTMLInputElement>("textbox", { name: "Public IP or hostname" });
  expect(host.value).toBe("");
});

it("empties the message that was being written", async () => {
  const { user } = await openView(backend, "/manager?view=contact", "Contact");
  await fill({ "Your message": "From the first." });
  backend.state.loggedInAs = other;
  await user.click(screen.getByRole("link", { name: "Contact" }));
  await otherAccountLabel();
  expect(message().value).toBe("");
});

it("is detected through the event stream, and the open form is discarded", async () => {
  StubEventSource.opened = [];
  vi.stubGlobal("EventSource", StubEventSource);
  await openWizard(backend);
  await chooseNode();
  await waitFor(() => expect(StubEventSource.opened.length).toBe(1));
  backend.state.loggedInAs = other;
  StubEventSource.opened[0]?.say("hello", { username: other });
  await otherAccountLabel();
  await screen.findByRole("heading", { name: "Select a node" });
  expect(screen.queryByText(`AS${participant.asn}`)).toBeNull();
});
