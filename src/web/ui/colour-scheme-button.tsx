import { Button } from "./button.tsx";
import { useColourScheme } from "./use-colour-scheme.ts";

export function ColourSchemeButton() {
  const [scheme, setScheme] = useColourScheme();
  const other = scheme === "dark" ? "light" : "dark";
  return (
    <Button
      tone="quiet"
      size="sm"
      px="0"
      width="8"
      aria-label={`Use ${other} colours`}
      title={`Use ${other} colours`}
      onClick={() => setScheme(other)}
    >
      <HalfDisc />
    </Button>
  );
}

/** Drawn here because the front page shows no other icon: the icon library then stays out of its bundle. */
function HalfDisc() {
  return (
    <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M8 1.75a6.25 6.25 0 0 1 0 12.5z" fill="currentColor" />
    </svg>
  );
}
