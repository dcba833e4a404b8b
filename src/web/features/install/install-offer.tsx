import { chakra } from "@chakra-ui/react/styled-system";
import { Download } from "lucide-react";
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
          <Download size={16} aria-hidden />
          Install this app
        </Button>
      );
    case "share":
      return (
        <chakra.div fontSize="sm" color="fg.muted" px="2.5">
          <p>To have this app on your device, open Safari’s Share menu and choose Add to Home Screen.</p>
          <Button size="sm" tone="quiet" mt="1" ms="-2.5" onClick={dismissHint}>
            Do not show this again
          </Button>
        </chakra.div>
      );
  }
}
