/**
 * Takes the place of `@chakra-ui/react/styled-system` in the built app (`tests/support/built-styles.ts`, docs/decisions/0074). The
 * names and props are Chakra's, so that its components (dialog, tabs, table) use this module, too.
 */
import { type ElementType, type ReactNode, useInsertionEffect } from "react";
import { jsx } from "react/jsx-runtime";
import { data, globalRules } from "virtual:style-data";
import { createCss } from "./create-css.ts";
import { createRules } from "./create-rules.ts";
import type { StyleObject } from "./style-data.ts";

interface Recipe {
  readonly base?: StyleObject;
  readonly variants?: Readonly<Record<string, Readonly<Record<string, StyleObject>>>>;
  readonly defaultVariants?: Props;
}

interface Options {
  readonly forwardProps?: readonly string[];
  readonly defaultProps?: Props;
}

type Props = Readonly<Record<string, unknown>>;

const css = createCss(data);
const properties = new Set(`css ${data.properties}`.split(" "));

/** Attributes of SVG elements that are also CSS properties. */
const attributes: Readonly<Record<string, readonly string[]>> = {
  path: ["d"],
  text: ["x", "y"],
  circle: ["cx", "cy", "r"],
  rect: ["width", "height", "x", "y", "rx", "ry"],
  ellipse: ["cx", "cy", "rx", "ry"],
  g: ["transform"],
  stop: ["offset", "stopOpacity"],
};

export const defineRecipe = (recipe: unknown): unknown => recipe;
export const defineSlotRecipe = defineRecipe;

/** Creates a component as `chakra("a", recipe)` does. The system is built in: no context has to be read. */
function createStyled(tag: ElementType, recipe: Recipe = {}, options: Options = {}) {
  const { base = {}, variants = {}, defaultVariants = {} } = recipe;
  const forwarded = new Set([...(options.forwardProps ?? []), ...(attributes[tag as string] ?? [])]);
  /** Class names by the props that decide them. */
  const classNames = new Map<string, string>();

  const findClass = (style: Record<string, unknown>, chosen: Record<string, unknown>): string => {
    const key = JSON.stringify([style, chosen]);
    let className = classNames.get(key);
    if (className === undefined) {
      const { css: own, ...props } = style;
      const parts = Object.entries({ ...defaultVariants, ...chosen }).map(
        ([name, value]) => variants[name]?.[String(value)] ?? {},
      );
      const fromRecipe = { "@layer recipes": css(base, ...parts) };
      className = createClass(css(fromRecipe, ...toStyles(own), props as StyleObject));
      classNames.set(key, className);
    }
    return className;
  };

  return function Styled(given: Props): ReactNode {
    const style: Record<string, unknown> = {};
    const chosen: Record<string, unknown> = {};
    const props: Record<string, unknown> = {};
    let element = tag;
    for (const [name, value] of Object.entries({ ...options.defaultProps, ...given })) {
      if (value === undefined) continue;
      if (Object.hasOwn(variants, name)) chosen[name] = value;
      else if (forwarded.has(name)) props[name] = value;
      else if (properties.has(name)) style[name] = value;
      else if (name === "as" && typeof tag === "string") element = value as ElementType;
      // "htmlTranslate" is the attribute, "translate" the style.
      else if (/^html[A-Z]/.test(name) && name !== "htmlFor") props[name.slice(4).toLowerCase()] = value;
      else props[name] = value;
    }
    const className = findClass(style, chosen);
    if (className) props["className"] = [props["className"], className].filter(Boolean).join(" ");
    useInsertionEffect(() => insertClass(className), [className]);
    return jsx(element, props);
  };
}

/** `chakra.a` and `chakra("a", recipe)`. */
export const chakra: unknown = new Proxy(createStyled, {
  get(create, tag: string) {
    let component = components.get(tag);
    if (!component) components.set(tag, (component = create(tag as ElementType)));
    return component;
  },
});
const components = new Map<string, ReturnType<typeof createStyled>>();

function toStyles(own: unknown): readonly StyleObject[] {
  return [own].flat(2).filter((style): style is StyleObject => Boolean(style));
}

/** The rules by class, until they are inserted, and the class by its rules. */
const pending = new Map<string, readonly string[]>();
const classes = new Map<string, string>();

function createClass(style: StyleObject): string {
  const key = JSON.stringify(style);
  let className = classes.get(key);
  if (className === undefined) {
    className = `pd-${classes.size.toString(36)}`;
    const rules = createRules(`.${className}`, style);
    if (rules.length === 0) className = "";
    else pending.set(className, rules);
    classes.set(key, className);
  }
  return className;
}

let sheet: CSSStyleSheet | null = null;

function insertClass(className: string): void {
  const rules = pending.get(className);
  if (!rules) return;
  pending.delete(className);
  insertRules(rules);
}

/** Rules are inserted one by one: the content security policy forbids the text of a style element. */
function insertRules(rules: readonly string[]): void {
  if (sheet === null) {
    sheet = document.head.appendChild(document.createElement("style")).sheet;
    for (const rule of globalRules) insertRule(rule);
  }
  for (const rule of rules) insertRule(rule);
}

function insertRule(rule: string): void {
  try {
    sheet?.insertRule(rule, sheet.cssRules.length);
  } catch {
    // Another browser's pseudo-element.
  }
}

export function ChakraProvider({ children }: { readonly children: ReactNode }): ReactNode {
  useInsertionEffect(() => insertRules([]), []);
  return children;
}

/** What Chakra's components read from its context. None of them has a recipe in the system. */
const context = {
  sva: ({ slots = [], base = {} }: { slots?: readonly string[]; base?: Record<string, StyleObject> }) =>
    Object.assign(
      () => Object.fromEntries(slots.map((slot) => [slot, { "@layer recipes": css(base[slot] ?? {}) }])),
      {
        splitVariantProps: (props: Props) => [{}, { ...props, recipe: undefined }],
        classNameMap: {},
      },
    ),
  getSlotRecipeFn: () => context.sva({}),
};

export const useChakraContext = (): typeof context => context;
