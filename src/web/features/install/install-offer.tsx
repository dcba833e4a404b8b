import { chakra } from "@chakra-ui/react/styled-system";
import { useInstall } from "../../browser/pwa.ts";
import { Button } from "../../ui/forms/button.tsx";

/** An install button where the browser has an install prompt, a hint in Safari on iOS, nothing elsewhere. */
export function InstallOffer() {
  const { method, prompt, dismissHint } = useInstall();
  switch (method) {
    case null:
      return null;
    case "prompt":
      return (
        <Button size="sm" onClick={() => void prompt()}>
          <DownloadIcon />
          Install this app
        </Button>
      );
    case "share":
      return (
        <chakra.div fontSize="sm" color="fg.muted">
          <p>To install this app, open Safari’s Share menu and choose Add to Home Screen.</p>
          <Button size="sm" tone="quiet" mt="1" ms="-2.5" onClick={dismissHint}>
            Don’t show this again
          </Button>
        </chakra.div>
      );
  }
}

/** Inline because the home page uses it: this keeps the icon library out of the first bundle. */
function DownloadIcon() {
  return (
    <svg
      viewBox="0 0 16 16"
      width={16}
      height={16}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden
    >
      <path d="M8 2v8M4.5 6.5 8 10l3.5-3.5M2.5 13.5h11" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
