/** As `jsx-runtime.ts`, for development and tests. */
import type { ElementType, Key } from "react";
import * as react from "react/jsx-dev-runtime";
import { isolateTexts, type Props } from "./isolate-texts.ts";

export { Fragment } from "react/jsx-dev-runtime";

export function jsxDEV(
  type: ElementType,
  props: Props,
  key: Key | undefined,
  isStatic: boolean,
  source?: react.JSXSource,
  self?: unknown,
) {
  isolateTexts(type, props, (span, spanProps, spanKey) => react.jsxDEV(span, spanProps, spanKey, false));
  return react.jsxDEV(type, props, key, isStatic && Array.isArray(props.children), source, self);
}
