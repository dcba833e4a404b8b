import { chakra } from "@chakra-ui/react/styled-system";
import { useState } from "react";
import { useUpdates } from "../../pwa/pwa.ts";
import { Button } from "../../ui/button.tsx";

/** Offers a new version, at the foot of every screen, when there is one and nothing is under way. */
export function UpdateNotice() {
  const { offered, accept, postpone } = useUpdates();
  const [accepted, setAccepted] = useState(false);
  const reload = async () => {
    setAccepted(true);
    await accept();
    // Still here: the version before is held up, and they may ask again or put it off.
    setAccepted(false);
  };
  return (
    <chakra.div aria-live="polite" justifySelf={{ base: "stretch", sm: "end" }}>
      {(offered || accepted) && (
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
            <Button size="sm" tone="primary" pending={accepted} onClick={() => void reload()}>
              Reload
            </Button>
            <Button size="sm" tone="quiet" disabled={accepted} onClick={postpone}>
              Later
            </Button>
          </chakra.div>
        </chakra.div>
      )}
    </chakra.div>
  );
}
