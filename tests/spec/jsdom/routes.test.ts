import { expect } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { type RowTest, testRows } from "./rows.ts";
import { routeRows } from "../table/routes.ts";
import {
  banner,
  button,
  byRole,
  click,
  expectAddress,
  expectShown,
  expectTitle,
  findAll,
  heading,
  link,
  main,
  navigation,
  tab,
  text,
} from "./screen.ts";

const title = "Example Transit";
const wrapperHeading = `${title} Peering Manager`;

/** The public navigation, which the plain layout and the manager do not have. */
const mainNavigation = navigation("Main");

const inMainLayout =
  (path: string, content: string, documentTitle: string): RowTest =>
  async ({ app }) => {
    app.open(path);
    await expectShown(heading(content), mainNavigation);
    await expectTitle(`${documentTitle} · Example Transit`);
    await expectAddress(app, path);
  };

const needsLogin =
  (path: string, login: string): RowTest =>
  async ({ app }) => {
    app.open(path);
    await expectShown(heading("Login page"));
    await expectAddress(app, login);
  };

testRows(routeRows, {
  "routing-protected": async (visit) => {
    await needsLogin("/manager", "/login")(visit);
    await needsLogin("/manager?node=syd01", "/login?from=%2Fmanager%3Fnode%3Dsyd01")(visit);
  },
  "routing-unknown": async ({ app, backend }) => {
    for (const loggedInAs of [null, participant.asn]) {
      backend.state.loggedInAs = loggedInAs;
      for (const path of ["/nowhere", "/a/b/c", "/manager/nowhere", "/Status/x", "/login/nowhere"]) {
        app.open(path);
        await expectShown(heading("404 not found :("), link("Back to Home"));
        await expectAddress(app, "/not-found");
        await expectTitle("404 not found :( · Example Transit");
      }
    }
  },
  "route-home": inMainLayout("/", `Peer with ${title}`, "Home"),
  "route-not-found": inMainLayout("/not-found", "404 not found :(", "404 not found :("),
  "route-updatepeer": async (visit) => {
    for (const type of ["new", "edit?node=syd01", "delete?node=syd01"]) {
      const from = encodeURIComponent(`/manager/updatepeer/${type}`);
      await needsLogin(`/manager/updatepeer/${type}`, `/login?from=${from}`)(visit);
    }
  },
  "layout-nav-home": async ({ app }) => {
    app.open("/not-found");
    await click(link("Home", mainNavigation));
    await expectAddress(app, "/");
    await expectShown(heading(`Peer with ${title}`));
  },
  "home-text": async ({ app }) => {
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
  },
  "home-manager-button": async ({ app, backend }) => {
    backend.state.loggedInAs = participant.asn;
    app.open("/");
    await click(link("Go to Peering Manager"));
    await expectAddress(app, "/manager");
    await expectShown(heading(wrapperHeading));
  },
  "roles-anonymous": async ({ app, backend }) => {
    backend.refuse("authStatus", 401, { message: "Log in first." });
    const publicScreens = ["/", "/status", "/map", "/about", "/not-found"];
    for (const path of [...publicScreens, "/login", "/register", "/setPassword", "/forgotPassword"]) {
      app.open(path);
      await findAll(byRole("heading", undefined, main));
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
  "roles-others": async ({ app, backend }) => {
    backend.state.loggedInAs = participant.asn;
    for (const path of ["/admin", "/manager/admin"]) {
      app.open(path);
      await expectAddress(app, "/not-found");
    }
  },
  "participants-can": async ({ app, backend }) => {
    addPeering(backend.state);
    backend.state.loggedInAs = participant.asn;
    app.open("/manager");
    await expectShown(link("Create new peering"));
    await click(link(/^View/));
    for (const [name, content] of [
      ["Status", heading("BGP")],
      ["Detailed Info", text(/^interface: /)],
      ["Troubleshooting", heading("Actions")],
      ["Edit Peering", link("Change your details")],
    ] as const) {
      await click(tab(name));
      await expectShown(content);
    }
    await expectShown(button("Delete peering"));
    const menu = navigation("Manager");
    for (const [name, panel] of [
      ["Node Status", "Node CPU usage"],
      ["Stats", "Total routes"],
    ] as const) {
      await click(link(name, menu));
      await expectShown(heading(panel));
    }
    await click(link("Contact", menu));
    await expectShown(button("Submit"));
  },
});
