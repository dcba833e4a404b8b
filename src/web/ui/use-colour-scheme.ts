import { useSyncExternalStore } from "react";

export type ColourScheme = "light" | "dark";

/** Shared with the script in index.html, which applies the choice before the first paint. */
const storageKey = "colour-scheme";

/** The scheme is a class of the root element; that script keeps it in step with the system until a person chooses. */
function shown(): ColourScheme {
  return document.documentElement.classList.contains("dark") ? "dark" : "light";
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["class"] });
  return () => observer.disconnect();
}

function choose(scheme: ColourScheme) {
  const root = document.documentElement;
  root.classList.toggle("dark", scheme === "dark");
  root.classList.toggle("light", scheme === "light");
  try {
    localStorage.setItem(storageKey, scheme);
  } catch {
    // Storage is refused in some private windows; the choice then lasts until the page is left.
  }
}

export function useColourScheme(): readonly [ColourScheme, (scheme: ColourScheme) => void] {
  return [useSyncExternalStore(subscribe, shown), choose];
}
