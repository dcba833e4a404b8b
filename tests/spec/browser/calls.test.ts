import { expect } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { nextStep, submit } from "../../e2e/wizard.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
import { heading, expectShown, text } from "./screen.ts";
import { callRows } from "../table/calls.ts";

const username = participant.asn;

type Visit = (visit: RowVisit) => Promise<void>;

const openPeering =
  (address: string): Visit =>
  async ({ page, backend }) => {
    addPeering(backend.state);
    await page.goto(address);
  };

const sendsUsernameAndCookies: RowTest = async (visit) => {
  const { page, backend } = visit;
  await openPeering("/manager?node=syd01&tab=edit")(visit);
  await expectShown(heading(page, "Current configuration"));
  await page.goto("/manager?node=syd01");
  await page.goto("/manager/updatepeer/edit?node=syd01");
  await nextStep(page);
  await nextStep(page);
  await submit(page);
  await expectShown(text(page, "mock-2"));
  const polls = () => [...backend.received("getTaskStatus"), ...backend.withoutCredentials()];
  await expect.poll(() => polls().length).toBeGreaterThan(0);
  expect(backend.withoutCredentials()).toEqual([]);
  const posts = backend.received().filter(({ method }) => method === "POST");
  expect(new Set(posts.map(({ path }) => path)).size).toBeGreaterThan(4);
  for (const { path, body } of posts) {
    const [first] = Array.isArray(body) ? (body as readonly unknown[]) : [body];
    expect([path, first]).toEqual([path, expect.objectContaining({ username })]);
  }
};

testRows(
  callRows,
  {
    "calls-credentials": sendsUsernameAndCookies,
    "roles-credentials": sendsUsernameAndCookies,
  },
  { isLoggedIn: true },
);
