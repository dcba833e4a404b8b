import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createAppSystem } from "#web/ui/theme/system.ts";
import { createCss, type CssFunction } from "#web/ui/styling/create-css.ts";
import { createRules } from "#web/ui/styling/create-rules.ts";
import type { StyleData, StyleObject } from "#web/ui/styling/style-data.ts";
import { readSources, readStyle, readStyleData } from "../../support/built-styles.ts";

const system = createAppSystem();
let data: StyleData;
let css: CssFunction;
beforeAll(() => {
  data = readStyleData(system, readSources());
  css = createCss(data);
});

/** Properties whose values Chakra puts into others, or adds a unit to. The build refuses them, or knows their values. */
const unlike = /^(blur|brightness|contrast|invert|ring|hideBelow|hideFrom|rotate|srOnly|truncate)$/;

/** The order of keys is the order of CSS, so texts are compared. */
const expectChakras = (...styles: readonly StyleObject[]) =>
  expect(JSON.stringify(css(...styles))).toBe(JSON.stringify(readStyle(system, ...styles)));

describe("the built engine writes what Chakra writes", () => {
  test("for each property, with each of its tokens", () => {
    const conditions = Object.keys(data.conditions);
    const properties = data.properties
      .split(" ")
      .filter((name) => name !== "css" && !conditions.includes(name));
    expect(properties.length).toBeGreaterThan(100);
    for (const property of properties.filter((name) => !unlike.test(name))) {
      const kind = data.kinds[data.shorthands[property] ?? property];
      const tokens = data.tokens[kind ?? ""]?.split(" ") ?? [];
      for (const value of [...tokens, "inherit", 0, 3, "calc({sizes.14} - {spacing.0.5})", "1px !important"])
        expectChakras({ [property]: value });
    }
    for (const property of ["srOnly", "truncate"]) expectChakras({ [property]: true });
    for (const breakpoint of ["sm", "md", "lg"])
      expectChakras({ hideBelow: breakpoint }, { hideFrom: breakpoint });
  });

  test("for conditions inside conditions, and styles that replace others", () => {
    const condition = fc.constantFrom(
      ...Object.keys(data.conditions),
      "& > svg",
      "&.chosen, & b",
      "@media print",
    );
    const plain = fc.constantFrom<StyleObject[string]>(
      "2",
      "4",
      "fg",
      "fg.muted",
      1,
      "{colors.plot.down}",
      "0 auto",
    );
    const value = fc.oneof(
      plain,
      fc.dictionary(fc.constantFrom("base", "_dark", "sm", "md", "lg", "mdDown"), plain, { minKeys: 1 }),
    );
    const property = fc.constantFrom("p", "px", "color", "bg", "boxSize", "width", "--ink", "fontSize");
    const own = fc.dictionary(property, value, { maxKeys: 4 });
    const nest = (inner: fc.Arbitrary<StyleObject>): fc.Arbitrary<StyleObject> =>
      fc
        .tuple(own, fc.dictionary(condition, inner, { maxKeys: 2 }))
        .map((parts) => Object.assign({}, ...parts) as StyleObject);
    const style = nest(nest(own));
    fc.assert(
      fc.property(fc.array(style, { minLength: 1, maxLength: 3 }), (styles) => {
        expectChakras(...styles);
      }),
    );
  });
});

test.each<[name: string, style: StyleObject, rules: readonly string[]]>([
  [
    "units",
    { width: 3, lineHeight: 1.5, margin: 0, "--n": 2 },
    [".x{width:3px;line-height:1.5;margin:0;--n:2}"],
  ],
  ["prefixes", { userSelect: "none" }, [".x{-webkit-user-select:none;user-select:none}"]],
  ["nothing", { "@media print": {}, color: null }, []],
  [
    "nested rules after the declarations",
    { "&:is(a, b), .dark &": { "& i": { color: "red" } }, top: "0" },
    [".x{top:0}", ".x:is(a, b) i,.dark .x i{color:red}"],
  ],
  [
    "at-rules outside",
    { "@layer recipes": { "@media print": { top: "0" }, "&::before": { content: '","' } } },
    ['@layer recipes{@media print{.x{top:0}}.x::before{content:","}}'],
  ],
])("a style as CSS: %s", (_, style, rules) => {
  expect(createRules(".x", style)).toEqual(rules);
});

test.each(['ring="2px"', 'hideBelow="30rem"', 'bg="accent/50"'])(
  "the build refuses what the engine cannot do: %s",
  (source) => {
    expect(() => readStyleData(system, source)).toThrow("the built app's styles do not support");
  },
);
