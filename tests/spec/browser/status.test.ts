import { expect } from "vitest";
import { provider } from "#mocks/provider.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
import { expectShown } from "./screen.ts";
import { statusRows } from "../table/status.ts";

async function openHosted({ page, backend }: RowVisit) {
  await page.route("https://status.example.org/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>All is up</h1>" }),
  );
  backend.reply("provider", { ...provider, status_page: "https://status.example.org/" });
  await page.goto("/status");
  const frame = page.locator("iframe");
  await expectShown(frame);
  return frame;
}

const is800High: RowTest = async (visit) => {
  const frame = await openHosted(visit);
  expect(await frame.evaluate((element) => element.getBoundingClientRect().height)).toBe(800);
};

testRows(statusRows, {
  "status-frame": async (visit) => {
    const frame = await openHosted(visit);
    expect(await frame.getAttribute("src")).toBe("https://status.example.org/");
    await expectShown(frame.contentFrame().getByRole("heading", { name: "All is up" }));
  },
  "status-height": is800High,
  "status-height-constant": is800High,
});
