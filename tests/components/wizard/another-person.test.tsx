/** In another tab somebody else has signed in: what the first person had open here is not the second one's. */
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { participant } from "../../../src/mocks/state.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openView } from "../manager/open-view.tsx";
import { StubEventSource } from "../deployments/stub-event-source.ts";
import { answer, chooseNode, fill, openWizard, press, questions } from "./open-wizard.tsx";

const backend = useBackend();
const other = "4242420002";
const message = () => screen.getByLabelText<HTMLTextAreaElement>("Your message");
const theirs = () => screen.findAllByText(`AS${other}`);

beforeEach(() => {
  backend.state().accounts[other] = "password";
});

it("begins the wizard anew", async () => {
  const { user } = await openWizard(backend);
  await chooseNode(user);
  await answer(user, questions.family, "IPv4");
  await press(user, "Next");
  await fill(user, "Public IP or hostname", "router.of-the-first.example");
  backend.state().signedIn = other;
  await press(user, "Back");
  await theirs();
  await screen.findByRole("heading", { name: "Select a node" });
  expect(screen.queryByRole("button", { pressed: true })).toBeNull();
  await chooseNode(user);
  await answer(user, questions.family, "IPv4");
  await press(user, "Next");
  const host = await screen.findByRole<HTMLInputElement>("textbox", { name: "Public IP or hostname" });
  expect(host.value).toBe("");
});

it("empties the message that was being written", async () => {
  const { user } = await openView(backend, "/manager?view=contact", "Contact");
  await user.type(message(), "From the first.");
  backend.state().signedIn = other;
  await user.click(screen.getByRole("link", { name: "Contact" }));
  await theirs();
  expect(message().value).toBe("");
});

it("is noticed by the stream of events, and what was open is taken away", async () => {
  StubEventSource.opened = [];
  vi.stubGlobal("EventSource", StubEventSource);
  const { user } = await openWizard(backend);
  await chooseNode(user);
  await waitFor(() => expect(StubEventSource.opened.length).toBe(1));
  backend.state().signedIn = other;
  StubEventSource.opened[0]?.say("hello", { username: other });
  await theirs();
  await screen.findByRole("heading", { name: "Select a node" });
  expect(screen.queryByText(`AS${participant.asn}`)).toBeNull();
});
