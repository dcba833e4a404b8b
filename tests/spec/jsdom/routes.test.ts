import { expect } from "vitest";
import { provider } from "#mocks/provider.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { testVisitorRows } from "./rows.ts";
import { routeRows } from "../table/routes.ts";
import {
  banner,
  button,
  byRole,
  bySelector,
  click,
  expectAddress,
  expectShown,
  expectTitle,
  heading,
  link,
  main,
  navigation,
  readAttribute,
  readTexts,
  region,
  tab,
  text,
} from "./screen.ts";

const title = "Example Transit";
const wrapperHeading = `${title} Peering Manager`;

/** The public navigation, which the plain layout and the manager do not have. */
const mainNavigation = navigation("Main");

const fromWizard = "%2Fmanager%2Fupdatepeer%2F";

testVisitorRows(routeRows, {
  "routing-protected": async ({ app }) => {
    for (const [path, login] of [
      ["/manager", "/login"],
      ["/manager?node=syd01", "/login?from=%2Fmanager%3Fnode%3Dsyd01"],
      ...["new", "edit?node=syd01", "delete?node=syd01"].map(
        (type) =>
          [`/manager/updatepeer/${type}`, `/login?from=${fromWizard}${encodeURIComponent(type)}`] as const,
      ),
    ] as const) {
      app.open(path);
      await expectShown(heading("Login page"));
      await expectAddress(app, login);
    }
  },
  "routing-unknown": async ({ app, backend }) => {
    for (const [loggedInAs, paths] of [
      [null, ["/a/b/c", "/manager/nowhere", "/Status/x", "/login/nowhere"]],
      [participant.asn, ["/nowhere", "/admin", "/manager/admin"]],
    ] as const) {
      backend.state.loggedInAs = loggedInAs;
      for (const path of paths) {
        app.open(path);
        await expectShown(heading("404 not found :("), link("Back to Home"));
        await expectAddress(app, "/not-found");
      }
    }
  },
  "roles-anonymous": async ({ app, backend }) => {
    backend.refuse("authStatus", 401, { message: "Log in first." });
    for (const [path, content, documentTitle, hasNavigation] of [
      ["/", `Peer with ${title}`, "Home", true],
      ["/status", "Status", "Status", true],
      ["/map", "Map", "Map", true],
      ["/about", "About", "About", true],
      ["/not-found", "404 not found :(", "404 not found :(", true],
      ["/login", "Login page", "Login page", false],
      ["/register", "Register", "Register", false],
      ["/setPassword", "Set password", "Set password", false],
      ["/forgotPassword", "Password Reset", "Password Reset", false],
    ] as const) {
      app.open(path);
      await expectShown(heading(content));
      expect([path, mainNavigation().length]).toEqual([path, hasNavigation ? 1 : 0]);
      await expectTitle(`${documentTitle} · ${title}`);
      await expectAddress(app, path);
    }
  },
  "roles-authenticated": async ({ app, backend }) => {
    addPeering(backend.state);
    backend.state.loggedInAs = participant.asn;
    for (const [path, content] of [
      ["/manager", "Dashboard"],
      ["/manager/updatepeer/new", "Select a node"],
      ["/manager/updatepeer/edit?node=syd01", "BGP details"],
      ["/manager/updatepeer/delete?node=syd01", "Delete the peering on syd01.dn42.example.net"],
    ] as const) {
      app.open(path);
      await expectShown(heading(wrapperHeading), heading(content));
      await expectAddress(app, path);
      expect(mainNavigation()).toEqual([]);
    }
  },
  "home-text": async ({ app, backend }) => {
    backend.state.loggedInAs = participant.asn;
    app.open("/");
    await expectShown(text(title, banner), text(/BGP over WireGuard/, banner));
    for (const sentence of [
      /^Example Transit is part of/,
      /part of a community project where participants set up VPN tunnels to each other and peer via BGP/,
      /Our nodes are virtual machines in several regions of the world/,
      /Only WireGuard tunnels are supported/,
      /IPv4 and IPv6 are both supported/,
      /BGP runs on an open-source routing daemon/,
      /a recursive DNS server, a BGP looking glass that is reachable only inside the network, and an uptime monitor/,
    ])
      await expectShown(text(sentence));
    await click(bySelector("a[href='/map']", main));
    await expectAddress(app, "/map");
    await click(link("Home", mainNavigation));
    await click(link("Go to Peering Manager"));
    await expectAddress(app, "/manager");
    await expectShown(heading(wrapperHeading));
  },
  "about-sections": async ({ app, backend }) => {
    backend.reply("provider", { ...provider, resolver: "172.20.1.53" });
    app.open("/about");
    const services = region("Services");
    await expectShown(
      heading("Nodes/Routers"),
      button("Copy hostname of syd01.dn42.example.net"),
      heading("Infrastructure Management"),
      heading("Services"),
      text("172.20.1.53", services),
      bySelector(`a[href="${provider.looking_glass}"]`, services),
    );
    expect(readTexts(services)[0]).toMatch(/DNS server.*resolver address/);
  },
  "status-own": async ({ app }) => {
    app.open("/status");
    for (const { name } of provider.nodes) await expectShown(text(`${name}.${provider.domain}`));
    expect(bySelector("iframe")()).toHaveLength(0);
  },
  "participants-can": async ({ app, backend }) => {
    addPeering(backend.state);
    backend.state.loggedInAs = participant.asn;
    app.open("/manager");
    await expectShown(link("Create new peering"));
    await click(link(/^View/));
    await expectShown(tab("Status"));
    expect(readTexts(byRole("tab"))).toEqual(["Status", "Detailed Info", "Troubleshooting", "Edit Peering"]);
    for (const [name, content] of [
      ["Status", heading("BGP")],
      ["Detailed Info", text(/^interface: /)],
      ["Troubleshooting", heading("Actions")],
      ["Edit Peering", link("Change your details")],
    ] as const) {
      await click(tab(name));
      await expectShown(content);
      expect(await readAttribute(tab(name), "aria-selected")).toBe("true");
    }
    await expectAddress(app, "/manager?node=syd01&tab=edit");
    await expectShown(button("Delete peering"));
    const menu = navigation("Manager");
    for (const [name, content, address] of [
      ["Node Status", heading("Node CPU usage"), "/manager?view=nodes"],
      ["Stats", heading("Total routes"), "/manager?view=stats"],
      ["Contact", button("Submit"), "/manager?view=contact"],
      ["Dashboard", heading("Dashboard"), "/manager"],
    ] as const) {
      await click(link(name, menu));
      await expectShown(content);
      await expectAddress(app, address);
    }
  },
});
