import { useLayoutEffect } from "react";

/** Takes the static shell of index.html away as soon as there is something better to look at. */
export function useStaticShellEnd(): void {
  useLayoutEffect(() => document.getElementById("shell")?.remove(), []);
}
