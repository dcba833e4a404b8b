import type { StyleData, StyleObject, StyleValue } from "./style-data.ts";

interface MutableStyle {
  [key: string]: StyleValue | StyleObject | MutableStyle;
}

export type CssFunction = (...styles: readonly StyleObject[]) => StyleObject;

/**
 * Returns Chakra's `css` for this data: later styles replace earlier ones, shorthands and tokens become CSS, conditions
 * become selectors and at-rules, and media queries follow what they override. Chakra's arrays of values by breakpoint and
 * its colours with an opacity ("accent/50") are not supported: `tests/support/built-styles.ts` refuses them.
 */
export function createCss(data: StyleData): CssFunction {
  const tokens = new Map(
    Object.entries(data.tokens).map(([kind, names]) => [
      kind,
      new Map(names.split(" ").map((name) => [name, createToken(kind, name)])),
    ]),
  );

  const resolve = (property: string, value: StyleValue): StyleObject => {
    const fixed = data.fixed[property]?.[String(value)];
    if (fixed) return fixed;
    const token = tokens.get(data.kinds[property] ?? "")?.get(String(value));
    const resolved = token ?? (typeof value === "string" ? replaceReferences(value) : value);
    return Object.fromEntries((data.targets[property] ?? [property]).map((name) => [name, resolved]));
  };

  const merge = (target: MutableStyle, style: StyleObject): void => {
    for (const [key, value] of Object.entries(style)) {
      const name = data.shorthands[key] ?? key;
      const present = target[name];
      if (isStyle(value)) {
        const merged: MutableStyle = isStyle(present) ? present : {};
        merge(merged, value);
        target[name] = merged;
      } else if (value !== undefined) target[name] = value;
    }
  };

  /** Collects the declarations of a style by the path of their selectors. */
  const collect = (
    style: StyleObject,
    into: MutableStyle,
    property: string,
    path: readonly string[],
  ): void => {
    for (const [key, value] of Object.entries(style)) {
      const condition = data.conditions[key] ?? (/^@|&/.test(key) ? [key] : null);
      const name = condition || key === "base" ? property : key;
      const nested = condition ? [...path, ...condition] : path;
      if (isStyle(value)) collect(value, into, name, nested);
      else if (value !== null && value !== undefined) {
        const [plain, important] = splitImportant(value);
        let target = into;
        for (const step of nested) target = (target[step] ??= {}) as MutableStyle;
        merge(target, important ? markImportant(resolve(name, plain)) : resolve(name, plain));
      }
    }
  };

  return (...styles) => {
    const merged: MutableStyle = {};
    for (const style of styles) merge(merged, style);
    const result: MutableStyle = {};
    collect(merged, result, "", []);
    return sortQueries(result);
  };
}

/** "-4" is the negative of "4". */
function createToken(kind: string, name: string): string {
  return name.startsWith("-")
    ? `calc(${createReference(kind, name.slice(1))} * -1)`
    : createReference(kind, name);
}

/** "{sizes.14}" inside a value. */
function replaceReferences(value: string): string {
  return value.replaceAll(/\{(\w+)\.([\w.]+)\}/g, (_, kind: string, name: string) =>
    createReference(kind, name),
  );
}

/** The dot of a number is escaped, one between names is a hyphen. */
function createReference(kind: string, name: string): string {
  const prefix = kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `var(--pd-${prefix}-${/\d\./.test(name) ? name.replace(".", "\\.") : name.replaceAll(".", "-")})`;
}

function isStyle(value: unknown): value is StyleObject & MutableStyle {
  return typeof value === "object" && value !== null;
}

function splitImportant(value: StyleValue): readonly [StyleValue, isImportant: boolean] {
  const [, plain] = (typeof value === "string" && /^(.*?)\s*!important$/.exec(value)) || [];
  return plain === undefined ? [value, false] : [plain, true];
}

function markImportant(style: StyleObject): StyleObject {
  return Object.fromEntries(
    Object.entries(style).map(([key, value]) => [
      key,
      isStyle(value) ? markImportant(value) : `${String(value)} !important`,
    ]),
  );
}

/** Moves media and container queries to the end, as Chakra does, which leaves what is inside of them as it is. */
function sortQueries(style: StyleObject): StyleObject {
  const entries = Object.entries(style);
  const queries = (start: string) =>
    entries
      .filter(([key]) => key.startsWith(start))
      .toSorted(([a], [b]) => rankQuery(a) - rankQuery(b) || a.localeCompare(b));
  const others = entries
    .filter(([key]) => !/^@(media|container)/.test(key))
    .map(([key, value]) => [key, isStyle(value) ? sortQueries(value) : value] as const);
  return Object.fromEntries([...others, ...queries("@media"), ...queries("@container")]);
}

/** Minimal widths come first, from the smallest on; then maximal widths, from the largest on; then other queries. */
function rankQuery(query: string): number {
  const [, kind, length] = /\((min|max)-(?:width|height):\s*([\d.]+)/.exec(query) ?? [];
  if (length === undefined) return Infinity;
  return kind === "min" ? Number(length) : 1e9 - Number(length);
}
