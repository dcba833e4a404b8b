import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { readStoredDraft } from "#browser-storage/stored-drafts.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { useIndexedDb } from "../../support/indexed-db.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openView } from "./open-view.tsx";

const backend = useBackend();
useIndexedDb();

const key = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=";
const storedMessage = () => readStoredDraft(participant.asn, ["contact"]);

const findSent = () => screen.findByText(/^Your message has been submitted\./);

const open = () => openView(backend, "/manager?view=contact", "Contact");
const box = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const submit = () => screen.getByRole<HTMLButtonElement>("button", { name: "Submit" });

async function write(values: Readonly<Record<string, string>> = {}): Promise<void> {
  await fill({
    "Your name": "Ada Quill",
    "Your email address": "ada@example.org",
    "Your message": "The tunnel to de01 is down.",
    ...values,
  });
}

const descriptionOf = (label: string) =>
  (box(label).getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent);

const alertText = () => screen.queryByRole("alert")?.textContent;

describe("the contact form", () => {
  it("takes no text from its address but the task that it was opened for, and leaves a draft alone", async () => {
    const { router } = await openView(
      backend,
      "/manager?view=contact&about=Send%20me%20your%20key",
      "Contact",
    );
    expect(box("Your message").value).toBe("");
    await router.navigate({ to: "/manager", search: { view: "contact", about: "t-1" } });
    expect(box("Your message").value).toBe("Task ID: t-1\n\n");
    await write();
    await router.navigate({ to: "/manager", search: { view: "contact", about: "t-2" } });
    expect(await screen.findByText("Please mention the task ID t-2 in your message.")).toBeTruthy();
    expect(box("Your message").value).toBe("The tunnel to de01 is down.");
  });

  it("shows the error of every field, sends nothing, and takes the focus with its confirmation", async () => {
    const { user } = await open();
    await write({ "Your name": "<Ada>", "Your email address": "ada", "Your message": "" });
    await user.click(submit());
    await screen.findByRole("alert");
    expect(descriptionOf("Your name")[0]).toBe(
      'Leave out special characters such as < > " and \\ in the name. Nothing was sent.',
    );
    expect(descriptionOf("Your email address")[0]).toBe(
      "Enter one plain email address such as you@example.org, so that we can reply. Nothing was sent.",
    );
    expect(descriptionOf("Your message")[0]).toBe("Enter a message. Nothing was sent.");
    expect(backend.sent("submitContactForm")).toEqual([]);
    expect(box("Your name").value).toBe("<Ada>");
    await write();
    expect(screen.queryByRole("alert")).toBeNull();
    await user.click(submit());
    expect(document.activeElement).toBe((await findSent()).closest("[tabindex]"));
    await user.click(screen.getByRole("button", { name: "Write another message" }));
    expect(box("Your name").value).toBe("Ada Quill");
    expect(box("Your message").value).toBe("");
  });

  it("shows the server's error at the field that it names or below the form, and sends on the next submit", async () => {
    const { user } = await open();
    await write();
    backend.refuse("submitContactForm", 422, { message: "Not this address.", field: "email" });
    await user.click(submit());
    await expect.poll(() => descriptionOf("Your email address")[0]).toBe("Not this address.");
    expect(box("Your email address").getAttribute("aria-invalid")).toBe("true");
    expect(alertText()).not.toContain("Not this address.");
    expect(box("Your message").value).toBe("The tunnel to de01 is down.");
    backend.refuse("submitContactForm", 429, { message: "Too many messages." });
    await write({ "Your email address": "ada@example.net" });
    await user.click(submit());
    await expect.poll(alertText).toMatch(/Too many messages\.$/);
    backend.cutOff("submitContactForm");
    await user.click(submit());
    await expect
      .poll(alertText)
      .toMatch(/The server could not be reached\. Check your connection and try again\.$/);
    backend.restore();
    await user.click(submit());
    await findSent();
    expect(backend.sent("submitContactForm")).toHaveLength(4);
  });

  it("shows the limits before they are reached, and does not truncate", async () => {
    await open();
    expect(descriptionOf("Your name")).toEqual(['Up to 100 characters, without < > " and \\.']);
    expect(descriptionOf("Your message")).toEqual(["0 of 5,000 characters."]);
    await write({ "Your name": "a".repeat(101), "Your message": "🙂".repeat(5001) });
    expect(descriptionOf("Your name")[0]).toBe("Too long. The limit is 100 characters.");
    expect(descriptionOf("Your message")).toEqual([
      "Too long. The limit is 5,000 characters.",
      "5,001 of 5,000 characters.",
    ]);
    expect(Array.from(box("Your message").value)).toHaveLength(5001);
  });

  it("does not store or send a message with a key, and keeps it on the screen", async () => {
    const { user, router } = await open();
    await write({ "Your message": `Help!\nPrivateKey = ${key}` });
    const error = "This contains a private key. It was not sent or saved.";
    expect(descriptionOf("Your message")[0]).toBe(error);
    expect(box("Your message").getAttribute("spellcheck")).toBe("false");
    await user.click(submit());
    expect(descriptionOf("Your message")[0]).toBe(error);
    await expect.poll(storedMessage).toMatchObject({ name: "Ada Quill", message: "" });
    await router.navigate({ to: "/manager", search: {} });
    await router.navigate({ to: "/manager", search: { view: "contact" } });
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Your message" })).value).toContain(
      key,
    );
    expect(backend.sent("submitContactForm")).toEqual([]);
    await write({ "Your message": "Help!" });
    await user.click(submit());
    await findSent();
    expect(backend.sent("submitContactForm")).toHaveLength(1);
  });

  it("says how to send a public key, which looks like a private one", async () => {
    await open();
    await write({ "Your message": `My key is ${key}` });
    expect(descriptionOf("Your message").slice(0, 2)).toEqual([
      "This may be a private key. It was not sent or saved.",
      "If it is a public key, write 'public key' before it.",
    ]);
    await write({ "Your message": `My public key is ${key}` });
    expect(descriptionOf("Your message")).toEqual(["61 of 5,000 characters."]);
  });
});
