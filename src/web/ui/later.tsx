import { type ReactNode, useDeferredValue } from "react";

/** Renders after what is around it stands: in tasks of its own, and in slices of a few milliseconds. */
export function Later({ children }: { readonly children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}
