import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createLink, useLocation, useNavigate } from "@tanstack/react-router";
import { ChartLine, LayoutGrid, Mail, Server } from "lucide-react";
import type { ReactNode } from "react";
import { logOut, clearAccountData } from "../../api/login-session.ts";
import { Button } from "../../ui/forms/button.tsx";

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
  readonly installOffer: ReactNode;
  /** Called when a link of the menu is clicked. */
  readonly onNavigate: () => void;
}

export function ManagerMenu({ id, open, username, installOffer, onNavigate }: ManagerMenuProps) {
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
      <Screens onNavigate={onNavigate} />
      {installOffer}
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

function Screens({ onNavigate }: Pick<ManagerMenuProps, "onNavigate">) {
  // An open peering counts as the dashboard; the wizard counts as none of the screens.
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
            onClick={onNavigate}
          >
            <Icon size={16} aria-hidden />
            {label}
          </MenuLink>
        </li>
      ))}
    </chakra.ul>
  );
}

/** Logs out on this device even if the server is unreachable; the server's login session is then ended later. */
export function LogoutButton() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const logout = useMutation({
    mutationFn: () => logOut(queryClient),
    onSettled: async () => {
      await navigate({ to: "/" });
      clearAccountData(queryClient);
    },
  });
  return (
    <Button size="sm" onClick={() => logout.mutate()} isPending={logout.isPending}>
      Logout
    </Button>
  );
}
