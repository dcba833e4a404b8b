import { expect, test } from "vitest";
import { type Manifest, webParts } from "./web-parts.ts";

const manifest: Manifest = {
  "index.html": {
    file: "assets/index.js",
    src: "index.html",
    isEntry: true,
    imports: ["_react.js"],
    css: ["assets/index.css"],
  },
  "_react.js": { file: "assets/react.js" },
  "_form.js": { file: "assets/form.js", imports: ["_react.js"], css: ["assets/form.css"] },
  "routes/home.tsx?tsr-split=component": {
    file: "assets/home.js",
    src: "routes/home.tsx?tsr-split=component",
    isDynamicEntry: true,
    imports: ["index.html"],
  },
  "routes/manager.tsx?tsr-split=component": {
    file: "assets/manager.js",
    src: "routes/manager.tsx?tsr-split=component",
    isDynamicEntry: true,
    imports: ["index.html", "_form.js"],
  },
  "routes/login.tsx?tsr-split=component": {
    file: "assets/login.js",
    src: "routes/login.tsx?tsr-split=component",
    isDynamicEntry: true,
    imports: ["_form.js", "_react.js"],
  },
};

test("the first part contains the entry, its route and their imports; later parts contain their additional files", () => {
  const parts = webParts(manifest, { name: "first route", sources: ["routes/home.tsx"] }, [
    { name: "manager", sources: ["routes/manager.tsx"] },
  ]);
  expect(parts).toEqual([
    {
      name: "first route",
      files: ["assets/home.js", "assets/index.css", "assets/index.js", "assets/react.js"],
    },
    { name: "manager", files: ["assets/form.css", "assets/form.js", "assets/manager.js"] },
    {
      name: "routes/manager.tsx?tsr-split=component",
      files: ["assets/form.css", "assets/form.js", "assets/manager.js"],
    },
    {
      name: "routes/login.tsx?tsr-split=component",
      files: ["assets/form.css", "assets/form.js", "assets/login.js"],
    },
  ]);
});

test("a manifest without an entry or with a missing chunk is rejected", () => {
  const first = { name: "first route", sources: [] };
  expect(() => webParts({}, first, [])).toThrow("the manifest has no entry");
  expect(() =>
    webParts({ "index.html": { file: "a.js", isEntry: true, imports: ["_gone.js"] } }, first, []),
  ).toThrow("the manifest has no chunk _gone.js");
});
