import { chakra } from "@chakra-ui/react/styled-system";
import { Outlet } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useProvider } from "../../api/provider.ts";
import { DemoLine } from "../../ui/demo-line.tsx";
import { HeadingLevelProvider } from "../../ui/heading-level.ts";
import { ManagerHeader } from "./manager-header.tsx";
import { ManagerMenu } from "./manager-menu.tsx";

const menuId = "manager-menu";
/** From here on there is room for the menu beside the screen; below, it opens above it. */
const roomForMenu = "(min-width: 64rem)";

export interface ManagerShellProps {
  /** The signed-in AS number. */
  readonly username: string;
  /** At the end of the menu, where there is something to offer. */
  readonly offer: ReactNode;
}

export function ManagerShell({ username, offer }: ManagerShellProps) {
  const { demo } = useProvider();
  const [open, setOpen] = useState(() => window.matchMedia(roomForMenu).matches);
  useEffect(() => {
    const room = window.matchMedia(roomForMenu);
    const follow = () => setOpen(room.matches);
    room.addEventListener("change", follow);
    return () => room.removeEventListener("change", follow);
  }, []);
  const closeInTheWay = () => {
    if (!window.matchMedia(roomForMenu).matches) setOpen(false);
  };
  return (
    <chakra.div display="flex" flexDirection="column" flex="1 0 auto">
      <ManagerHeader
        username={username}
        menuId={menuId}
        menuOpen={open}
        onToggleMenu={() => setOpen((now) => !now)}
      />
      <chakra.div
        flex="1"
        display="grid"
        gridTemplateRows={{ base: "auto 1fr", lg: "1fr" }}
        gridTemplateColumns={{
          base: "minmax(0, 1fr)",
          lg: open ? "{sizes.menu} minmax(0, 1fr)" : "minmax(0, 1fr)",
        }}
      >
        <ManagerMenu id={menuId} open={open} username={username} offer={offer} onFollow={closeInTheWay} />
        <chakra.div
          gridRow={{ base: "2", lg: "1" }}
          gridColumn={{ lg: open ? "2" : "1" }}
          borderInlineStartWidth={{ lg: open ? "1px" : "0" }}
        >
          <chakra.main maxWidth="manager" mx="auto" px={{ base: "4", md: "8" }} py={{ base: "6", md: "8" }}>
            <HeadingLevelProvider value={2}>
              <Outlet />
            </HeadingLevelProvider>
          </chakra.main>
        </chakra.div>
      </chakra.div>
      {demo && <DemoLine />}
    </chakra.div>
  );
}
