import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { useBackend } from "../accounts/open-app.tsx";
import { fillToConfirm, openWizard, press } from "./open-wizard.tsx";

const backend = useBackend();

test("the title names the chosen node while the submit of a new peering is pending", async () => {
  const { user } = await openWizard(backend);
  await fillToConfirm(user, "router.example.org");
  backend.reply("updatePeerConfig", () => new Promise<Response>(() => {}));
  await press(user, "Submit");
  expect(await screen.findByRole("heading", { name: "Deploying to syd01.dn42.example.net" })).toBeTruthy();
});
