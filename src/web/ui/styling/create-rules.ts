import type { StyleObject, StyleValue } from "./style-data.ts";

/** Properties whose numbers have no unit. A number of another property is in pixels. */
const unitless =
  /^(-|flex(?!Basis)|order$|opacity$|zIndex$|zoom$|lineHeight$|fontWeight$|tabSize$|columns$|columnCount$|aspectRatio$|scale$|orphans$|widows$|animationIterationCount$|grid(Row|Column|Area)|(fill|stop|flood|stroke)Opacity$|stroke(Dash|Miter|Width)|lineClamp$|WebkitLineClamp$)/;

/** Properties that Safari 16.4 knows by this prefix only. */
const prefixed =
  /^(userSelect|backdropFilter|mask\w*|textDecoration|textSizeAdjust|hyphens|boxDecorationBreak|appearance)$/;

/** Writes a style as CSS rules: its declarations, then each nested rule. `&` is the selector; without one, nothing. */
export function createRules(selector: string, style: StyleObject): readonly string[] {
  const declarations: string[] = [];
  const nested: string[] = [];
  for (const [key, value] of Object.entries(style)) {
    if (typeof value !== "object" || value === null) {
      const declaration = writeDeclaration(key, value);
      if (declaration) declarations.push(declaration);
    } else if (key.startsWith("@keyframes")) nested.push(`${key}{${writeFrames(value)}}`);
    else if (key.startsWith("@")) {
      const rules = createRules(selector, value).join("");
      if (rules) nested.push(`${key}{${rules}}`);
    } else nested.push(...createRules(nestSelector(selector, key), value));
  }
  return declarations.length > 0 ? [`${selector}{${declarations.join(";")}}`, ...nested] : nested;
}

function writeFrames(frames: StyleObject): string {
  return Object.entries(frames)
    .flatMap(([step, style]) => createRules(step, style as StyleObject))
    .join("");
}

function writeDeclaration(property: string, value: StyleValue): string {
  if (value === null || value === undefined || typeof value === "boolean") return "";
  const unit = typeof value === "number" && value !== 0 && !unitless.test(property) ? "px" : "";
  const name = property.startsWith("--")
    ? property
    : property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const declaration = `${name}:${String(value)}${unit}`;
  return prefixed.test(property) ? `-webkit-${declaration};${declaration}` : declaration;
}

/** Each selector of the list is nested in each of the outer list. */
function nestSelector(outer: string, selector: string): string {
  return splitList(selector)
    .flatMap((each) => (outer ? splitList(outer) : [""]).map((parent) => each.replaceAll("&", parent).trim()))
    .join(",");
}

/** Splits at commas outside of parentheses and brackets. */
function splitList(selectors: string): readonly string[] {
  return selectors.split(/,(?![^(]*\))(?![^[]*\])/).map((each) => each.trim());
}
