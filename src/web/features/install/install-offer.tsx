import { chakra } from "@chakra-ui/react/styled-system";
import { useInstall } from "../../pwa/pwa.ts";
import { Button } from "../../ui/button.tsx";

/** Where the browser lets itself be asked a button, in Safari on iOS a hint; elsewhere nothing. */
export function InstallOffer() {
  const { way, ask, dismissHint } = useInstall();
  switch (way) {
    case null:
      return null;
    case "prompt":
      return (
        <Button size="sm" onClick={() => void ask()}>
          <DownloadMark />
          Install this app
        </Button>
      );
    case "share":
      return (
        <chakra.div fontSize="sm" color="fg.muted">
          <p>To have this app on your device, open Safari’s Share menu and choose Add to Home Screen.</p>
          <Button size="sm" tone="quiet" mt="1" ms="-2.5" onClick={dismissHint}>
            Do not show this again
          </Button>
        </chakra.div>
      );
  }
}

/** Drawn here because the front page, which offers it as well, does without the icon library. */
function DownloadMark() {
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
