/**
 * Browser translation replaces each text node by `<font>` elements, and does so again for each new text node. React keeps
 * a reference to a text node only if its element has other children. It then updates a node that is no longer on the
 * screen, and fails when it removes the node. An element's only text is safe: React sets the element's whole content.
 * Thus each text that has siblings gets an element of its own.
 */
import { Fragment, type Key, type ReactNode } from "react";

export interface Props {
  children?: ReactNode;
}

type CreateSpan = (type: "span", props: Props, key: Key) => ReactNode;

/**
 * Replaces texts among the children by such elements. Adjacent texts become one: "1" and " routes". Other children keep
 * their index, and with it their state.
 */
export function isolateTexts(type: unknown, props: Props, createSpan: CreateSpan): void {
  // The siblings of a fragment's children are not known.
  let isOnlyText = type !== Fragment;
  const { children } = props;
  const isolated: ReactNode[] = isOnlyText && !Array.isArray(children) ? [] : [children].flat();
  if (!isolated.some(isText)) return;
  let text = "";
  let textIndex = 0;
  for (const [index, child] of isolated.entries()) {
    if (isText(child)) {
      if (text === "") textIndex = index;
      else isolated[index] = null;
      text += String(child);
      isolated[textIndex] = text;
    } else if (child && child !== true) {
      text = "";
      isOnlyText = false;
    }
  }
  props.children = isOnlyText
    ? text
    : // Space between elements stays as it is: it is not translated, and takes no place in a flex container.
      isolated.map((child, index) =>
        isText(child) && String(child).trim() ? createSpan("span", { children: child }, index) : child,
      );
}

function isText(child: unknown): child is string | number {
  return typeof child === "string" || typeof child === "number";
}
