/** Text that the wizard neither stores nor sends, and where it arrives. */
import { createEvent, fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { readStoredDraft } from "#browser-storage/stored-drafts.ts";
import { emptyPeerForm } from "#domain/peering/fields/peer-form.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { hashForm } from "#web/features/peerings/wizard/peering-draft.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { useIndexedDb } from "../../support/indexed-db.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openWizard } from "./open-wizard.tsx";

const backend = useBackend();
useIndexedDb();

beforeEach(() => addPeering(backend.state));

const address = "/manager/updatepeer/edit?node=syd01&step=enterDetails";
const key = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=";

const field = (label: string) => screen.findByRole<HTMLInputElement>("textbox", { name: label });

const stored = () => readStoredDraft(participant.asn, ["peering", "edit", "syd01"]);

async function drop(label: string, text: string): Promise<boolean> {
  const target = await field(label);
  const event = createEvent.drop(target, { dataTransfer: { getData: () => text } });
  fireEvent(target, event);
  return event.defaultPrevented;
}

it("is refused when it is pasted or dropped, and the field keeps its value", async () => {
  const { user } = await openWizard(backend, address);
  const host = await field("Public IP or hostname");
  await user.click(host);
  await user.paste("router.example.org\n51820");
  expect(await screen.findByText("This has several lines. It was not sent or saved.")).toBeTruthy();
  expect(await drop("Port", `PresharedKey = ${key}`)).toBe(true);
  expect(await screen.findByText("This contains a pre-shared key. It was not sent or saved.")).toBeTruthy();
  expect(await drop("Port", "51821\n")).toBe(false);
  expect([host.value, (await field("Port")).value]).toEqual(["router.example.org", "51820"]);
});

it("is a public key that may be a private one: the device does not hold it, the screen does", async () => {
  const mayBePrivate = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHl8=";
  const { router } = await openWizard(backend, address);
  await fill({ "Public key": mayBePrivate });
  await fill({ Port: "51821" });
  await expect.poll(stored).toMatchObject({ form: { remote_port: "51821", public_key: "" } });
  await router.navigate({ to: "/manager", search: {} });
  await router.navigate({ href: address });
  expect((await field("Public key")).value).toBe(mayBePrivate);
  expect(JSON.stringify(await stored())).not.toContain(mayBePrivate);
  // So a successful deployment removes both drafts.
  const form = { ...emptyPeerForm, public_key: mayBePrivate };
  expect(hashForm(form)).toBe(hashForm(emptyPeerForm));
});
