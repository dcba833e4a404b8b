import { chakra } from "@chakra-ui/react/styled-system";
import { createLink, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ChartLine, LayoutGrid, Mail, Server } from "lucide-react";
import { LogoutButton } from "./logout-button.tsx";

const screens = [
  { view: undefined, label: "Dashboard", Icon: LayoutGrid },
  { view: "nodes", label: "Node Status", Icon: Server },
  { view: "stats", label: "Stats", Icon: ChartLine },
  { view: "contact", label: "Contact", Icon: Mail },
] as const;

const MenuLink = createLink(
  chakra("a", {
    base: {
      display: "flex",
      alignItems: "center",
      gap: "2.5",
      px: "2.5",
      minHeight: "9",
      borderRadius: "md",
      fontWeight: "medium",
      color: "fg.muted",
      _hover: { color: "fg", bg: "bg.muted" },
      _currentPage: { color: "fg", bg: "bg.muted" },
    },
  }),
);

export interface ManagerMenuProps {
  readonly id: string;
  readonly open: boolean;
  readonly username: string;
  readonly offer: ReactNode;
  /** A link of the menu was followed. */
  readonly onFollow: () => void;
}

export function ManagerMenu({ id, open, username, offer, onFollow }: ManagerMenuProps) {
  return (
    <chakra.nav
      aria-label="Manager"
      id={id}
      hidden={!open}
      display={open ? "flex" : "none"}
      flexDirection="column"
      gap="3"
      px="3"
      py="3"
      bg={{ base: "bg.panel", lg: "transparent" }}
      borderBottomWidth={{ base: "1px", lg: "0" }}
      position={{ lg: "sticky" }}
      top={{ lg: "0" }}
      alignSelf={{ lg: "start" }}
    >
      <Screens onFollow={onFollow} />
      {offer}
      <chakra.div
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent="space-between"
        gap="2"
        px="2.5"
        pt="3"
        borderTopWidth="1px"
      >
        <chakra.span fontFamily="mono" fontSize="sm">
          AS{username}
        </chakra.span>
        <LogoutButton />
      </chakra.div>
    </chakra.nav>
  );
}

function Screens({ onFollow }: Pick<ManagerMenuProps, "onFollow">) {
  // An open peering belongs to the dashboard; the wizard belongs to none of them.
  const here = useLocation({
    select: ({ pathname, search }) => (pathname === "/manager" ? (search.view ?? "dashboard") : null),
  });
  return (
    <chakra.ul display="grid" gap="1">
      {screens.map(({ view, label, Icon }) => (
        <li key={label}>
          <MenuLink
            to="/manager"
            search={{ view }}
            activeOptions={{ exact: true }}
            aria-current={here === (view ?? "dashboard") ? "page" : undefined}
            onClick={onFollow}
          >
            <Icon size={16} aria-hidden />
            {label}
          </MenuLink>
        </li>
      ))}
    </chakra.ul>
  );
}
