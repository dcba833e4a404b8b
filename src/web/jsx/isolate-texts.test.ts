import { Fragment, type ReactNode } from "react";
import { expect, test } from "vitest";
import { isolateTexts } from "./isolate-texts.ts";

const element = { type: "b" } as unknown as ReactNode;

/** The children of an element after the call, with "<text>" for an element with a text. */
function isolate(children: ReactNode, type: unknown = "p"): ReactNode {
  const props = { children };
  isolateTexts(type, props, (_, { children: text }) => `<${text as string}>`);
  return props.children;
}

test.each<[children: ReactNode, isolated: ReactNode]>([
  ["alone", "alone"],
  [element, element],
  [[1, " route", null, "s"], "1 routes"],
  [[false, "alone"], "alone"],
  [[undefined, true, 0], "0"],
  // The elements keep their index.
  [
    ["of ", 5, element],
    ["<of 5>", null, element],
  ],
  [
    [element, false, "after"],
    [element, false, "<after>"],
  ],
  [
    ["before", element, "a", "b"],
    ["<before>", element, "<ab>", null],
  ],
  // Space between elements is not translated.
  [
    [element, " ", element],
    [element, " ", element],
  ],
])("%j", (children, isolated) => {
  expect(isolate(children)).toEqual(isolated);
});

test("the siblings of a fragment's text are not known", () => {
  expect([isolate("text", Fragment), isolate(["1", " route"], Fragment)]).toEqual([
    ["<text>"],
    ["<1 route>", null],
  ]);
  expect(isolate(element, Fragment)).toBe(element);
});
