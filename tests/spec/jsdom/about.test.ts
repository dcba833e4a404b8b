import { expect } from "vitest";
import { provider } from "#mocks/provider.ts";
import { type RowTest, testRows } from "./rows.ts";
import { aboutRows } from "../table/about.ts";
import {
  button,
  bySelector,
  click,
  expectAddress,
  expectShown,
  expectTitle,
  heading,
  link,
  navigation,
  readTexts,
  region,
  text,
} from "./screen.ts";

const hasSection =
  (name: string): RowTest =>
  async ({ app }) => {
    app.open("/about");
    await expectShown(heading(name));
  };

const showsResolver: RowTest = async ({ app, backend }) => {
  backend.reply("provider", { ...provider, resolver: "172.20.1.53" });
  app.open("/about");
  const services = region("Services");
  await expectShown(text("172.20.1.53", services));
  expect(readTexts(services)[0]).toMatch(/DNS server.*resolver address/);
};

testRows(aboutRows, {
  "route-about": async ({ app }) => {
    app.open("/about");
    await expectShown(heading("About"), navigation("Main"));
    await expectTitle("About · Example Transit");
  },
  "layout-nav-about": async ({ app }) => {
    app.open("/");
    await click(link("About", navigation("Main")));
    await expectAddress(app, "/about");
  },
  "about-nodes": async ({ app }) => {
    app.open("/about");
    await expectShown(heading("Nodes/Routers"), button("Copy hostname of syd01.dn42.example.net"));
  },
  "about-management": hasSection("Infrastructure Management"),
  "about-services": hasSection("Services"),
  "about-resolver": showsResolver,
  "about-resolver-constant": showsResolver,
  "about-looking-glass": async ({ app }) => {
    app.open("/about");
    await expectShown(bySelector(`a[href="${provider.looking_glass}"]`, region("Services")));
  },
});
