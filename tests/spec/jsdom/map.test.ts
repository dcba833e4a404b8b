import { testRows } from "./rows.ts";
import { mapRows } from "../table/map.ts";
import {
  bySelector,
  click,
  expectAddress,
  expectShown,
  expectTitle,
  heading,
  link,
  main,
  navigation,
} from "./screen.ts";

testRows(mapRows, {
  "route-map": async ({ app }) => {
    app.open("/map");
    await expectShown(heading("Map"), navigation("Main"));
    await expectTitle("Map · Example Transit");
  },
  "layout-nav-map": async ({ app }) => {
    app.open("/not-found");
    await click(link("Map", navigation("Main")));
    await expectAddress(app, "/map");
    await expectShown(heading("Map"));
  },
  "home-map-link": async ({ app }) => {
    app.open("/");
    await click(bySelector("a[href='/map']", main));
    await expectAddress(app, "/map");
  },
});
