import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";
import { addPeering } from "#mocks/samples.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openView } from "./open-view.tsx";
import { parentOf } from "../../support/parent-of.ts";

const backend = useBackend();

const open = () => openView(backend, "/manager/activity", "Activity");
const findRow = async (text: string) => {
  const row = (await screen.findByText(text)).closest("li");
  if (!row) throw new Error(`"${text}" is not in a list`);
  return within(row);
};

const flap = (time: number, up: boolean) => ({ node: "de01", families: ["IPv4"], at: time, up });

const rows = () =>
  screen.getAllByRole("listitem").flatMap((row) => row.querySelector("time ~ div")?.textContent ?? []);

function entry(index: number, changes: Partial<ActivityEntry> = {}): ActivityEntry {
  return {
    id: `entry-${index}`,
    at: Date.UTC(2026, 10, 23, 12, 0, 0),
    kind: "login",
    node: null,
    text: `Entry ${index}.`,
    changes: [],
    network: null,
    own: false,
    suspect: false,
    ...changes,
  };
}

it("lists what happened by day, with origins and changed values", async () => {
  addPeering(backend.state);
  await open();
  const login = await findRow("You logged in.");
  expect(login.getByText("198.51.100.0/24").parentElement?.textContent).toBe(
    "from 198.51.100.0/24, this login session",
  );
  expect(login.queryByRole("button")).toBeNull();
  const failed = await findRow("Someone tried to log in as you with a wrong password.");
  expect(failed.queryByRole("button")).toBeNull();
  const created = await findRow("You created the peering on syd01.dn42.example.net.");
  expect(created.getByText("port").nextSibling?.textContent).toBe("51820");
  expect(created.getByRole("button", { name: /^This was not me/ })).toBeTruthy();
  const days = screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
  expect(days).toHaveLength(3);
  for (const day of days) expect(day).toMatch(/^[A-Z][a-z]+,? \d+ [A-Z][a-z]+ \d{4}$/);
});

it("loads older activity on request", async () => {
  const pages = [
    { entries: [entry(3), entry(2)], next: "cursor" },
    { entries: [entry(1)], next: null },
  ];
  backend.reply("getActivity", ({ body }) => {
    const { before } = body as { readonly before?: string };
    return Response.json(before === "cursor" ? pages[1] : pages[0]);
  });
  const { user } = await open();
  await user.click(await screen.findByRole("button", { name: "Show older activity" }));
  await screen.findByText("Entry 1.");
  const texts = screen.getAllByText(/^Entry /).map(({ textContent }) => textContent);
  expect(texts).toEqual(["Entry 3.", "Entry 2.", "Entry 1."]);
  expect(screen.queryByRole("button", { name: "Show older activity" })).toBeNull();
});

it("has one row for a change and its outcome, and one for an unstable session, only of times that are loaded", async () => {
  const at = entry(0).at;
  const hour = 3_600_000;
  backend.reply("getSessionChanges", {
    changes: [
      flap(at + 200_000, false),
      flap(at + 150_000, true),
      flap(at + 100_000, false),
      flap(at - 3 * hour, false),
    ],
  });
  const failed = { state: "failed", text: "Not deployed. BIRD refused the new configuration." };
  const change = entry(3, { text: "You tried to create the peering on de01.", outcome: failed });
  const pages = [
    { entries: [change, entry(2, { at: at - hour })], next: "cursor" },
    { entries: [entry(1, { at: at - 5 * hour })], next: null },
  ];
  backend.reply("getActivity", ({ body }) =>
    Response.json("before" in (body as object) ? pages[1] : pages[0]),
  );
  const { user } = await open();
  await screen.findByText(/ended 2 times/);
  const unstable = expect.stringMatching(
    /^The IPv4 session on de01\.dn42\.example\.net ended 2 times, \d\d:\d1 to \d\d:\d3, and stayed down\.$/,
  );
  const newest = [unstable, `${change.text}${failed.text}`, "Entry 2."];
  expect(rows()).toEqual(newest);
  await user.click(screen.getByRole("button", { name: "Show older activity" }));
  await screen.findByText("Entry 1.");
  expect(rows()).toEqual([...newest, "The IPv4 session on de01.dn42.example.net ended.", "Entry 1."]);
});

it("says that the activity could not be loaded, and then that there is none yet", async () => {
  backend.refuse("getActivity", 503, { message: "The database is away." });
  const { user } = await open();
  await screen.findByText(/Your activity could not be loaded. The database is away\./);
  backend.reply("getActivity", { entries: [], next: null });
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText(/^There is no activity yet\./)).toBeTruthy();
});

it("disappears from the menu if the server does not have it", async () => {
  backend.refuse("getActivity", 404, { message: "There is no such call." });
  await open();
  await screen.findByText("This server does not record activity.");
  const menu = within(screen.getByRole("navigation", { name: "Manager" }));
  expect(menu.queryByRole("link", { name: "Activity" })).toBeNull();
});

it("'This was not me' ends all login sessions and leads to the login page with a hint", async () => {
  addPeering(backend.state);
  const { user, address } = await open();
  const created = await findRow("You created the peering on syd01.dn42.example.net.");
  await user.click(created.getByRole("button", { name: /^This was not me/ }));
  const dialog = within(await screen.findByRole("alertdialog", { name: "End all login sessions?" }));
  expect(dialog.getByText("You created the peering on syd01.dn42.example.net.")).toBeTruthy();
  expect(dialog.getByText(/^Passkeys keep working\. If Settings lists one /)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(backend.sent("endAllLoginSessions")).toEqual([]);

  await user.click(created.getByRole("button", { name: /^This was not me/ }));
  const again = within(await screen.findByRole("alertdialog"));
  await user.click(again.getByRole("button", { name: "End all login sessions" }));
  await screen.findByRole("heading", { name: "Login page" });
  expect(address()).toBe("/login");
  expect(backend.state.loggedInAs).toBeNull();
  const hint = within(parentOf(screen.getByText(/^All login sessions were ended\./)));
  expect(hint.getByRole("link", { name: "Forgot password?" }).getAttribute("href")).toBe("/forgotPassword");
});
