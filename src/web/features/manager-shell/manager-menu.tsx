import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { type KeyboardEventHandler, type ReactNode, useState } from "react";
import { activityQuery } from "../../api/activity-query.ts";
import { logOut } from "../../api/log-out.ts";
import { clearAccountData } from "../../api/login-session.ts";
import { acceptsOwnFields, useProvider } from "../../api/provider.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { LoginFacts } from "./manager-header.tsx";
import { MenuLink } from "./menu-link.tsx";
import { PublicLinks } from "./public-links.tsx";

const screens = [
  { to: "/manager", view: undefined, label: "Dashboard" },
  { to: "/manager", view: "nodes", label: "Node Status" },
  { to: "/manager", view: "stats", label: "Stats" },
  { to: "/manager", view: "contact", label: "Contact" },
  { to: "/manager/activity", view: undefined, label: "Activity" },
  { to: "/manager/settings", view: undefined, label: "Settings" },
] as const;

export interface ManagerMenuProps {
  readonly id: string;
  readonly open: boolean;
  /** Whether it is beside the content, and not above it. */
  readonly isWide: boolean;
  readonly username: string;
  readonly installOffer: ReactNode;
  /** Called when a link of the menu is clicked. */
  readonly onNavigate: () => void;
  readonly onKeyDown: KeyboardEventHandler | undefined;
}

export function ManagerMenu(props: ManagerMenuProps) {
  const { id, open, isWide, username, installOffer, onNavigate, onKeyDown } = props;
  return (
    <chakra.nav
      aria-label="Manager"
      id={id}
      hidden={!open}
      onKeyDown={onKeyDown}
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
      height={{ lg: "full" }}
      // As high as the first view below the header, so that the logout stays in its place when the content grows.
      maxHeight={{ lg: "calc(100dvh - {sizes.14})" }}
    >
      <Screens username={username} onNavigate={onNavigate} />
      {!isWide && <NarrowScreenItems username={username} />}
      {installOffer}
      <Account username={username} />
    </chakra.nav>
  );
}

function Screens({ username, onNavigate }: Pick<ManagerMenuProps, "username" | "onNavigate">) {
  const pathname = useLocation({ select: (location) => location.pathname });
  // An open peering counts as the dashboard; the wizard counts as none of the screens.
  const currentView = useLocation({ select: ({ search }) => search.view });
  const hasActivity = useHasActivity(username);
  return (
    <chakra.ul display="grid" gap="1">
      {screens
        .filter(({ to }) => hasActivity || to !== "/manager/activity")
        .map(({ to, view, label }) => (
          <li key={label}>
            <MenuLink
              to={to}
              search={{ view }}
              activeOptions={{ exact: true }}
              aria-current={pathname === to && currentView === view ? "page" : undefined}
              onClick={onNavigate}
            >
              {label}
            </MenuLink>
          </li>
        ))}
    </chakra.ul>
  );
}

/** False if the server has nothing beyond the specification, or turned out to lack the call. */
function useHasActivity(username: string): boolean {
  const isOwnServer = acceptsOwnFields(useQueryClient());
  const { data: activity } = useQuery({ ...activityQuery(username), enabled: false });
  return isOwnServer && activity !== null;
}

/** What the header has on a wide screen. */
function NarrowScreenItems({ username }: Pick<ManagerMenuProps, "username">) {
  const { name } = useProvider();
  return (
    <>
      <chakra.nav aria-label="Public pages" pt="3" borderTopWidth="1px">
        <PublicLinks direction="column" />
      </chakra.nav>
      <chakra.div hideFrom="md" display="grid" gap="1" px="2.5" pt="3" borderTopWidth="1px" fontSize="sm">
        <chakra.p color="fg.muted">Manage your own connections to the {name} network.</chakra.p>
        <chakra.dl>
          <LoginFacts username={username} />
        </chakra.dl>
      </chakra.div>
    </>
  );
}

/** The AS that is logged in, and its logout. */
function Account({ username }: Pick<ManagerMenuProps, "username">) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const href = useLocation({ select: (location) => location.href });
  /** The address where the participant learns that the logout failed. The next navigation removes the message. */
  const [failedAt, setFailedAt] = useState<string | null>(null);
  if (failedAt !== null && failedAt !== href) setFailedAt(null);
  const { mutate, isPending } = useMutation({
    mutationFn: () => logOut(queryClient),
    onMutate: () => setFailedAt(null),
    onError: () => setFailedAt(href),
    onSuccess: async () => {
      await navigate({ to: "/" });
      clearAccountData(queryClient);
    },
  });
  return (
    <chakra.div
      display="grid"
      gap="3"
      px="2.5"
      pt="3"
      mt={{ lg: "auto" }}
      borderTopWidth={{ base: "1px", lg: "0" }}
    >
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap="2">
        <chakra.span htmlTranslate="no" fontFamily="mono" fontSize="sm">
          AS{username}
        </chakra.span>
        <Button size="sm" onClick={() => mutate()} isPending={isPending}>
          Logout
        </Button>
      </chakra.div>
      {failedAt === href && (
        <Notice tone="error">
          The server could not log you out, so you are still logged in on this device. Try again in a moment.
        </Notice>
      )}
    </chakra.div>
  );
}
