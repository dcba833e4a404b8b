import { useSyncExternalStore } from "react";
import { writeWebStorage } from "#browser-storage/web-storage.ts";
import { Button } from "../forms/button.tsx";

export type ColourScheme = "light" | "dark";

/** Persisted name. The script in index.html reads it too, and applies the choice before the first paint. */
const storageKey = "colour-scheme";

/** The scheme is a class on the root element. Until the user chooses one, that script follows the system's. */
function readScheme(): ColourScheme {
  return document.documentElement.classList.contains("dark") ? "dark" : "light";
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["class"] });
  return () => observer.disconnect();
}

function setScheme(scheme: ColourScheme) {
  const root = document.documentElement;
  root.classList.toggle("dark", scheme === "dark");
  root.classList.toggle("light", scheme === "light");
  // A browser that refuses storage keeps the choice until the page is left.
  writeWebStorage("localStorage", storageKey, scheme);
}

export function useColourScheme(): readonly [ColourScheme, (scheme: ColourScheme) => void] {
  return [useSyncExternalStore(subscribe, readScheme), setScheme];
}

export function ColourSchemeButton() {
  const [scheme, chooseScheme] = useColourScheme();
  const other = scheme === "dark" ? "light" : "dark";
  return (
    <Button
      tone="quiet"
      size="sm"
      px="0"
      width="8"
      aria-label={`Use ${other} colours`}
      title={`Use ${other} colours`}
      onClick={() => chooseScheme(other)}
    >
      <HalfDisc />
    </Button>
  );
}

/** Inline because the home page has no other icon: this keeps the icon library out of the first bundle. */
function HalfDisc() {
  return (
    <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M8 1.75a6.25 6.25 0 0 1 0 12.5z" fill="currentColor" />
    </svg>
  );
}
