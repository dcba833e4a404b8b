import { chakra } from "@chakra-ui/react/styled-system";
import { Outlet } from "@tanstack/react-router";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { useProvider } from "../../api/provider.ts";
import { DemoBanner } from "../../ui/feedback/demo-banner.tsx";
import { PageSkeleton } from "../../ui/feedback/loading.tsx";
import { HeadingLevelProvider } from "../../ui/layout/headings.tsx";
import { closeOnEscape } from "../../ui/layout/menu-button.tsx";
import { SkipLink, skipTarget } from "../../ui/layout/skip-link.tsx";
import { ManagerHeader } from "./manager-header.tsx";
import { ManagerMenu } from "./manager-menu.tsx";

const menuId = "manager-menu";
/** Wide screens show the menu at the left of the content; narrower ones open it above the content. */
const wideScreen = "(min-width: 64rem)";

export interface ManagerShellProps {
  /** The logged-in AS number. */
  readonly username: string;
  /** Shown in the menu, if there is an offer. */
  readonly installOffer: ReactNode;
}

export function ManagerShell({ username, installOffer }: ManagerShellProps) {
  const { demo } = useProvider();
  const isWide = useSyncExternalStore(subscribeToWidth, isScreenWide);
  // Where the menu was opened or closed on a screen that has become wide or narrow since, that no longer counts.
  const [chosen, setChosen] = useState({ isWide, open: isWide });
  const open = chosen.isWide === isWide ? chosen.open : isWide;
  const setOpen = (next: boolean) => setChosen({ isWide, open: next });
  const closeOverlay = () => {
    if (!isWide) setOpen(false);
  };
  // Beside the content the menu covers nothing.
  const onKeyDown = open && !isWide ? closeOnEscape(menuId, closeOverlay) : undefined;
  return (
    <chakra.div display="flex" flexDirection="column" flex="1 0 auto">
      <SkipLink />
      <ManagerHeader
        username={username}
        menuId={menuId}
        menuOpen={open}
        isWide={isWide}
        onToggleMenu={() => setOpen(!open)}
        onKeyDown={onKeyDown}
      />
      <chakra.div
        flex="1"
        // A footer in the first view would move while data arrive.
        minHeight="calc(100dvh - {sizes.14})"
        display="grid"
        gridTemplateRows={{ base: "auto 1fr", lg: "1fr" }}
        gridTemplateColumns={{
          base: "minmax(0, 1fr)",
          lg: open ? "{sizes.menu} minmax(0, 1fr)" : "minmax(0, 1fr)",
        }}
      >
        <ManagerMenu
          id={menuId}
          open={open}
          isWide={isWide}
          username={username}
          installOffer={installOffer}
          onNavigate={closeOverlay}
          onKeyDown={onKeyDown}
        />
        <chakra.div
          gridRow={{ base: "2", lg: "1" }}
          gridColumn={{ lg: open ? "2" : "1" }}
          borderInlineStartWidth={{ lg: open ? "1px" : "0" }}
        >
          <chakra.main
            {...skipTarget}
            maxWidth="manager"
            mx="auto"
            px={{ base: "4", md: "8" }}
            py={{ base: "6", md: "8" }}
          >
            <HeadingLevelProvider value={2}>
              <Outlet />
            </HeadingLevelProvider>
          </chakra.main>
        </chakra.div>
      </chakra.div>
      {demo && <DemoBanner />}
    </chakra.div>
  );
}

function isScreenWide(): boolean {
  return window.matchMedia(wideScreen).matches;
}

/** Returns a function that ends it. */
function subscribeToWidth(onChange: () => void): () => void {
  const wide = window.matchMedia(wideScreen);
  wide.addEventListener("change", onChange);
  return () => wide.removeEventListener("change", onChange);
}

/** A placeholder for the whole manager while the login session is being checked. */
export function ManagerSkeleton() {
  return (
    <chakra.div flex="1 0 auto">
      <chakra.div minHeight="14" bg="bg.panel" borderBottomWidth="1px" />
      <chakra.div maxWidth="manager" mx="auto" px={{ base: "4", md: "8" }} py={{ base: "6", md: "8" }}>
        <PageSkeleton />
      </chakra.div>
    </chakra.div>
  );
}
