import { expect } from "vitest";
import { provider } from "#mocks/provider.ts";
import { type RowVisit, testRows } from "./rows.ts";
import { statusRows } from "../table/status.ts";
import {
  bySelector,
  click,
  expectAddress,
  expectShown,
  expectTitle,
  heading,
  link,
  navigation,
  readAttribute,
  text,
} from "./screen.ts";

async function openHosted({ app, backend }: RowVisit) {
  backend.reply("provider", { ...provider, status_page: "https://status.example.org/" });
  app.open("/status");
  const frame = bySelector("iframe");
  await expectShown(frame);
  return frame;
}

testRows(statusRows, {
  "route-status": async ({ app }) => {
    app.open("/status");
    await expectShown(heading("Status"), navigation("Main"));
    await expectTitle("Status · Example Transit");
  },
  "layout-nav-status": async ({ app }) => {
    app.open("/");
    await click(link("Status", navigation("Main")));
    await expectAddress(app, "/status");
  },
  "status-own": async ({ app }) => {
    app.open("/status");
    for (const { name } of provider.nodes) await expectShown(text(`${name}.${provider.domain}`));
    expect(bySelector("iframe")()).toHaveLength(0);
  },
  "status-scripts": async (visit) => {
    const frame = await openHosted(visit);
    expect((await readAttribute(frame, "sandbox"))?.split(" ")).toContain("allow-scripts");
  },
});
