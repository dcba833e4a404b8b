import { expect, test } from "vitest";
import { builtFiles, type Manifest } from "./built-files.ts";

const route = (name: string, ...imports: readonly string[]) => ({
  [`routes/${name}.tsx?tsr-split=component`]: {
    file: `${name}.js`,
    src: `routes/${name}.tsx?tsr-split=component`,
    imports,
  },
});
const manifest: Manifest = {
  "index.html": { file: "index.js", imports: ["_react.js"], css: ["index.css"] },
  "_react.js": { file: "react.js" },
  "_form.js": { file: "form.js", imports: ["_react.js"], css: ["form.css"] },
  ...route("home", "index.html"),
  ...route("login", "_form.js", "_react.js"),
};

test("returns the files of the entry, the route and their imports", () => {
  expect(builtFiles(manifest, [])).toEqual(["index.css", "index.js", "react.js"]);
  const login = ["form.css", "form.js", "index.css", "index.js", "login.js", "react.js"];
  expect(builtFiles(manifest, ["routes/login.tsx"])).toEqual(login);
  expect(() => builtFiles(route("home", "_gone.js"), ["routes/home.tsx"])).toThrow("no chunk _gone.js");
});
