import { cleanup, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fill } from "../../spec/jsdom/screen.ts";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();

async function submit(asn: string) {
  const app = await openApp("/register");
  await fill({ ASN: asn });
  await app.user.click(screen.getByRole("button", { name: "Next" }));
  return app;
}
const findSent = () => screen.findByText(/^We have send a link/);

it("the confirmation takes the focus, and names the masked addresses if the server does", async () => {
  await submit("4242420999");
  const sent = await findSent();
  expect(document.activeElement).not.toBe(document.body);
  expect(document.activeElement?.contains(sent)).toBe(true);
  expect(document.activeElement?.textContent).toContain(
    "Sent to n…@example.net and i…@example.org, as listed in the registry.",
  );
  cleanup();
  backend.reply("sendEmailVerification", {});
  await submit("4242420999");
  await findSent();
  expect(screen.queryByText(/Sent to/)).toBeNull();
});
