import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { CallName } from "#contract/calls.ts";
import { participant } from "#mocks/state.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

it.each<[address: string, name: CallName]>([
  ["/manager", "getPeerStatus"],
  ["/manager?view=nodes", "getPeeredNodes"],
  ["/manager/updatepeer/new", "getNodesList"],
  ["/manager/updatepeer/edit?node=syd01", "getPeerConfig"],
  ["/status", "getNodeHistory"],
])("%s says at once that %s was rejected, without a retry", async (address, name) => {
  backend.state().loggedInAs = participant.asn;
  backend.refuse(name, 403, { message: "Not today." });
  const { user } = await openApp(address);
  await screen.findByText(/Not today\./);
  expect(backend.sent(name)).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Retry" }));
  await expect.poll(() => backend.sent(name).length).toBe(2);
});
