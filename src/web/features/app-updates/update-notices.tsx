import { chakra } from "@chakra-ui/react/styled-system";
import { useEffect, useState } from "react";
import { useUpdates } from "../../browser/pwa.ts";
import { recoverFromChunkLoadError, type Recovery } from "../../browser/updates/chunk-load-error.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";

/** Offers a new version of the app. The store withholds the offer during deployments and while a form is filled in. */
export function UpdateNotice() {
  const { isOffered, accept, postpone } = useUpdates();
  const [isReloading, setIsReloading] = useState(false);
  const reload = async () => {
    setIsReloading(true);
    await accept();
    // The page was not reloaded: the new worker did not take over. The user can try again or postpone.
    setIsReloading(false);
  };
  return (
    <chakra.div aria-live="polite" justifySelf={{ base: "stretch", sm: "end" }}>
      {(isOffered || isReloading) && (
        <chakra.div
          display="flex"
          flexWrap="wrap"
          alignItems="center"
          justifyContent="space-between"
          columnGap="5"
          rowGap="2"
          px="4"
          py="3"
          bg="bg.panel"
          borderWidth="1px"
          borderColor="border.emphasized"
          borderRadius="lg"
          boxShadow="raised"
        >
          <p>A new version is ready.</p>
          <chakra.div display="flex" gap="2">
            <Button size="sm" tone="primary" isPending={isReloading} onClick={() => void reload()}>
              Reload
            </Button>
            <Button size="sm" tone="quiet" disabled={isReloading} onClick={postpone}>
              Later
            </Button>
          </chakra.div>
        </chakra.div>
      )}
    </chakra.div>
  );
}

const texts = {
  asking: "A part of the app could not be loaded. Checking for a newer version…",
  loading: "A part of the app could not be loaded. Opening a newer version…",
  offline:
    "This part of the app is not stored on your device, and the server is unreachable. Your other input is kept. Check your connection, then reload the page.",
  missing:
    "This part of the app is missing on the server too. Your other input is kept. Reload the page in a minute; if the error persists, contact support.",
} as const satisfies Record<Recovery | "asking", string>;

/** Replaces a part of the app that failed to load. Opens a newer version, once, if the server has one. */
export function ChunkLoadErrorNotice() {
  const [state, setState] = useState<keyof typeof texts>("asking");
  useEffect(() => {
    void recoverFromChunkLoadError(() => setState("loading")).then(setState);
  }, []);
  return (
    <Notice tone={state === "offline" || state === "missing" ? "error" : "quiet"}>{texts[state]}</Notice>
  );
}
