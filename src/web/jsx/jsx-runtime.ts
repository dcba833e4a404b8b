/** Creates the app's elements in place of React's module of this name (`jsxImportSource` in vite.config.ts). */
import type { ElementType, Key } from "react";
import * as react from "react/jsx-runtime";
import { isolateTexts, type Props } from "./isolate-texts.ts";

export { Fragment } from "react/jsx-runtime";

export function jsx(type: ElementType, props: Props, key?: Key) {
  isolateTexts(type, props, react.jsx);
  return react.jsx(type, props, key);
}

export { jsx as jsxs };
