import { Moon, Sun } from "lucide-react";
import { Button } from "./button.tsx";
import { useColourScheme } from "./use-colour-scheme.ts";

export function ColourSchemeButton() {
  const [scheme, setScheme] = useColourScheme();
  const other = scheme === "dark" ? "light" : "dark";
  const Icon = scheme === "dark" ? Sun : Moon;
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
      <Icon size={16} aria-hidden />
    </Button>
  );
}
