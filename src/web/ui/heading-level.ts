import { createContext, useContext } from "react";

/** The level of a page's title: 1, or 2 inside a layout that has a heading of its own. */
export type HeadingLevel = 1 | 2;

const HeadingLevelContext = createContext<HeadingLevel>(1);

export const HeadingLevelProvider = HeadingLevelContext.Provider;

export function useHeadingLevel(): HeadingLevel {
  return useContext(HeadingLevelContext);
}
