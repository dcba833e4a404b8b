import { type ReactNode, useDeferredValue, useLayoutEffect } from "react";

/** Renders its children after the surrounding content, as interruptible work in slices of a few milliseconds. */
export function DeferredRender({ children }: { readonly children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}

/** Removes the static shell of index.html once the calling component is in the document. */
export function useRemoveStaticShell(): void {
  useLayoutEffect(() => document.getElementById("shell")?.remove(), []);
}
