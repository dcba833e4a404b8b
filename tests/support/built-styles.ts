/**
 * Chakra computes its system (tokens, conditions, utilities) in the browser, which is half of what the app's first screen
 * needs beside React. This plugin computes it when the app is built, writes what the app's source mentions into
 * `virtual:style-data`, and replaces Chakra's engine by `src/web/ui/styling`. Development and tests use Chakra itself.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin } from "vite";
import { createCss } from "../../src/web/ui/styling/create-css.ts";
import { createRules } from "../../src/web/ui/styling/create-rules.ts";
import type * as systemModule from "../../src/web/ui/theme/system.ts";
import type { StyleData, StyleObject } from "../../src/web/ui/styling/style-data.ts";

type System = ReturnType<typeof systemModule.createAppSystem>;

const moduleId = "virtual:style-data";
const resolvedId = `\0${moduleId}`;
const web = fileURLToPath(new URL("../../src/web/", import.meta.url));
const engine = path.join(web, "ui/styling/styled-system.ts");

/** Values that no token has, to see what Chakra makes of a property. */
const probes = ["probe-value", "inherit"] as const;

export function builtStyles(): Plugin {
  return {
    name: "peerdeck:styles",
    apply: "build",
    enforce: "pre",
    resolveId(id, importer = "") {
      if (id === moduleId) return resolvedId;
      if (id === "@chakra-ui/react/styled-system") return engine;
      return /@chakra-ui\/react\//.test(importer) && /\/(?:factory|provider)\.js$/.test(id) ? engine : null;
    },
    async load(id) {
      // The system is part of the data.
      if (id === path.join(web, "ui/theme/system.ts")) return "export const createAppSystem = () => null;";
      if (id !== resolvedId) return null;
      // By Node.js itself: a static import would load Chakra with each start of Vite.
      const source = pathToFileURL(path.join(web, "ui/theme/system.ts")).href;
      const { createAppSystem } = (await import(/* @vite-ignore */ source)) as typeof systemModule;
      const system = createAppSystem();
      const data = readStyleData(system, readSources());
      const rules = createGlobalRules(system);
      return `export const data = ${JSON.stringify(data)};\nexport const globalRules = ${JSON.stringify(rules)};`;
    },
  };
}

/** The web app's source as one text. */
export function readSources(): string {
  return globSync("**/*.{ts,tsx}", { cwd: web, exclude: ["**/*.test.*", "**/*.gen.ts", "ui/styling/*"] })
    .toSorted()
    .map((file) => readFileSync(path.join(web, file), "utf8"))
    .join("\n");
}

export function createGlobalRules(system: System): readonly string[] {
  return [
    system.layers.atRule,
    ...(system._global as StyleObject[]).flatMap((style) => createRules("", style)),
  ];
}

/**
 * Reads from Chakra's system what a source mentions: a property whose name is a word of it, and a token or value that it
 * contains. Colours may be put together ("plot" and a state), so all are read.
 */
export function readStyleData(system: System, source: string): StyleData {
  const words = new Set(source.match(/[\w$]+/g));
  const values = new Set(source.match(/[\w./-]+/g));
  const colours = listTokens(system, "colors");
  const mixed = [...values].find(
    (value) => /\/\d+$/.test(value) && colours.includes(value.replace(/\/\d+$/, "")),
  );
  if (mixed !== undefined)
    throw new Error(`${mixed}: the built app's styles do not support a colour with an opacity`);
  const mentioned = [...words].filter((word) => system.isValidProperty(word)).toSorted();
  const conditions = system.conditions.keys().filter((key) => words.has(key));
  const data = {
    properties: mentioned.join(" "),
    shorthands: {} as Record<string, string>,
    conditions: Object.fromEntries(conditions.map((key) => [key, [system.conditions.resolve(key)].flat()])),
    targets: {} as Record<string, readonly string[]>,
    fixed: {} as Record<string, Record<string, StyleObject>>,
    kinds: {} as Record<string, string>,
    tokens: {} as Record<string, string>,
  };
  const utilities = mentioned
    .filter((word) => word !== "css" && !conditions.includes(word))
    .map((word) => {
      const property = system.utility.resolveShorthand(word);
      if (property !== word) data.shorthands[word] = property;
      return { word, property, config: system._config.utilities?.[property] };
    });
  for (const { property, config } of utilities) {
    const kind = readKind(config?.values);
    const names =
      kind === null ? [] : listTokens(system, kind).filter((name) => kind === "colors" || values.has(name));
    if (kind !== null && names.length > 0) {
      data.kinds[property] = kind;
      data.tokens[kind] = names.join(" ");
    }
    const targets = readTargets(system, property);
    if (targets && targets.join() !== property) data.targets[property] = targets;
  }
  const plain = createCss(data);
  for (const { word, property, config } of utilities) {
    const kind = readKind(config?.values);
    const names = kind === null ? listValues(config?.values) : listTokens(system, kind);
    const fixed = names
      .filter((name) => config?.transform && values.has(name))
      .map((name) => [name, readStyle(system, { [property]: name === "true" || name })] as const)
      .filter(([name, style]) => JSON.stringify(style) !== JSON.stringify(plain({ [property]: name })));
    if (fixed.length > 0) data.fixed[property] = Object.fromEntries(fixed);
    const used = readTargets(system, property) === null ? findValues(source, word) : [];
    const unknown = used.find((value) => data.fixed[property]?.[value] === undefined);
    if (unknown !== undefined)
      throw new Error(
        `${word} ${unknown}: the built app's styles do not support what Chakra does with this value`,
      );
  }
  return data;
}

/** The category of a utility's tokens. */
function readKind(values: unknown): string | null {
  if (typeof values === "string") return values;
  let kind: string | null = null;
  if (typeof values === "function")
    values((name: string) => {
      kind ??= name;
      return {};
    });
  return kind;
}

/** The values of a utility without tokens, such as `srOnly`. */
function listValues(values: unknown): readonly string[] {
  if (Array.isArray(values)) return values.map(String);
  const names = Object.keys(values ?? {});
  return names.join() === "type" ? ["true"] : names;
}

function listTokens(system: System, kind: string): readonly string[] {
  const names = [...(system.tokens.categoryMap.get(kind)?.keys() ?? [])];
  return names.filter((name) => !name.startsWith("colorPalette"));
}

/** The properties that Chakra sets to a property's value, or null if it does something else with it. */
function readTargets(system: System, property: string): readonly string[] | null {
  const [targets, ...others] = probes.map((probe) => {
    const entries = Object.entries(readStyle(system, { [property]: probe }));
    return entries.every(([, value]) => value === probe) ? entries.map(([name]) => name) : [];
  });
  return targets?.length && others.every((each) => each.join() === targets.join()) ? targets : null;
}

/** Chakra's `css` without `--bg-currentcolor`, which none of its components that the app uses reads. */
export function readStyle(system: System, ...styles: readonly StyleObject[]): StyleObject {
  const css = JSON.stringify(system.css(...(styles as never[])));
  return JSON.parse(css, (key, value: unknown) =>
    key === "--bg-currentcolor" ? undefined : value,
  ) as StyleObject;
}

/** The values that a property has in the source, as an attribute or in an object. */
function findValues(source: string, word: string): readonly string[] {
  const uses = source.matchAll(new RegExp(String.raw`\b${word}(?:=\{?|: )"([^"]*)"`, "g"));
  return Array.from(uses, ([, value = ""]) => value);
}
