import { type ReactNode, startTransition, useEffect, useLayoutEffect, useState } from "react";

/**
 * Renders its children after the surrounding content is on the screen, as interruptible work in slices of a few milliseconds.
 * Also inside of another `DeferredRender`, where `useDeferredValue` would render both at once.
 */
export function DeferredRender({ children }: { readonly children: ReactNode }) {
  const [isShown, show] = useState(false);
  useEffect(() => startTransition(() => show(true)), []);
  return isShown && children;
}

/** Removes the static shell of index.html once the calling component is in the document. */
export function useRemoveStaticShell(): void {
  useLayoutEffect(() => document.getElementById("shell")?.remove(), []);
}
