import { expect, test } from "vitest";
import { type Manifest, webParts } from "./web-parts.ts";

const route = (name: string, ...imports: readonly string[]) => ({
  [`routes/${name}.tsx?tsr-split=component`]: {
    file: `assets/${name}.js`,
    src: `routes/${name}.tsx?tsr-split=component`,
    isDynamicEntry: true,
    imports,
  },
});
const entry = { file: "assets/index.js", src: "index.html", isEntry: true };
const manifest: Manifest = {
  "index.html": { ...entry, imports: ["_react.js"], css: ["assets/index.css"] },
  "_react.js": { file: "assets/react.js" },
  "_form.js": { file: "assets/form.js", imports: ["_react.js"], css: ["assets/form.css"] },
  ...route("home", "index.html"),
  ...route("manager", "index.html", "_form.js"),
  ...route("login", "_form.js", "_react.js"),
};

test("the first part contains the entry, its route and their imports; later parts contain their additional files", () => {
  const home = { name: "first route", sources: ["routes/home.tsx"] };
  const form = ["assets/form.css", "assets/form.js"];
  const index = ["assets/index.css", "assets/index.js"];
  expect(webParts(manifest, home, [{ name: "manager", sources: ["routes/manager.tsx"] }])).toEqual([
    { name: "first route", files: ["assets/home.js", ...index, "assets/react.js"] },
    { name: "manager", files: [...form, "assets/manager.js"] },
    { name: "routes/manager.tsx?tsr-split=component", files: [...form, "assets/manager.js"] },
    { name: "routes/login.tsx?tsr-split=component", files: [...form, "assets/login.js"] },
  ]);
});

test("a manifest without an entry or with a missing chunk is rejected", () => {
  const first = { name: "first route", sources: [] };
  expect(() => webParts({}, first, [])).toThrow("the manifest has no entry");
  const incomplete = { "index.html": { file: "a.js", isEntry: true, imports: ["_gone.js"] } };
  expect(() => webParts(incomplete, first, [])).toThrow("the manifest has no chunk _gone.js");
});
