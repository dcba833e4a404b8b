import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createLink, useLocation, useNavigate } from "@tanstack/react-router";
import {
  Activity,
  ChartLine,
  History,
  House,
  LayoutGrid,
  Mail,
  MapPin,
  Server,
  UserRound,
} from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { accountQuery } from "../../api/account-query.ts";
import { activityQuery } from "../../api/activity-query.ts";
import { logOut } from "../../api/log-out.ts";
import { clearAccountData } from "../../api/login-session.ts";
import { acceptsOwnFields } from "../../api/provider.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";

const screens = [
  { to: "/manager", view: undefined, label: "Dashboard", Icon: LayoutGrid },
  { to: "/manager", view: "nodes", label: "Node Status", Icon: Server },
  { to: "/manager", view: "stats", label: "Stats", Icon: ChartLine },
  { to: "/manager/activity", view: undefined, label: "Activity", Icon: History },
  { to: "/manager", view: "contact", label: "Contact", Icon: Mail },
  { to: "/manager/account", view: undefined, label: "Account", Icon: UserRound },
] as const;

const publicScreens = [
  { to: "/", label: "Home", Icon: House },
  { to: "/status", label: "Status", Icon: Activity },
  { to: "/map", label: "Map", Icon: MapPin },
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
      <Screens username={username} onNavigate={onNavigate} />
      <PublicScreens />
      {installOffer}
      <Account username={username} />
    </chakra.nav>
  );
}

function Screens({ username, onNavigate }: Pick<ManagerMenuProps, "username" | "onNavigate">) {
  const pathname = useLocation({ select: (location) => location.pathname });
  // An open peering counts as the dashboard; the wizard counts as none of the screens.
  const currentView = useLocation({ select: ({ search }) => search.view });
  const missing = useMissingScreens(username);
  return (
    <chakra.ul display="grid" gap="1">
      {screens
        .filter(({ to }) => !missing.includes(to))
        .map(({ to, view, label, Icon }) => (
          <li key={label}>
            <MenuLink
              to={to}
              search={{ view }}
              activeOptions={{ exact: true }}
              aria-current={pathname === to && currentView === view ? "page" : undefined}
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

/** Screens whose calls the server turned out to lack; both if it has nothing beyond the specification. */
function useMissingScreens(username: string): readonly string[] {
  const isOwnServer = acceptsOwnFields(useQueryClient());
  const { data: activity } = useQuery({ ...activityQuery(username), enabled: false });
  const { data: account } = useQuery({ ...accountQuery(username), enabled: false });
  return [
    ...(isOwnServer && activity !== null ? [] : ["/manager/activity"]),
    ...(isOwnServer && account !== null ? [] : ["/manager/account"]),
  ];
}

/** An installed app has no address bar to leave the manager with. */
function PublicScreens() {
  return (
    <chakra.ul aria-label="Public pages" display="grid" gap="1" pt="3" borderTopWidth="1px">
      {publicScreens.map(({ to, label, Icon }) => (
        <li key={to}>
          <MenuLink to={to}>
            <Icon size={16} aria-hidden />
            {label}
          </MenuLink>
        </li>
      ))}
    </chakra.ul>
  );
}

/** The AS that is logged in, and its logout. */
function Account({ username }: Pick<ManagerMenuProps, "username">) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending, isError, reset } = useMutation({
    mutationFn: () => logOut(queryClient),
    onSuccess: async () => {
      await navigate({ to: "/" });
      clearAccountData(queryClient);
    },
  });
  const href = useLocation({ select: (location) => location.href });
  useEffect(() => reset(), [href, reset]);
  return (
    <chakra.div display="grid" gap="3" px="2.5" pt="3" borderTopWidth="1px">
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap="2">
        <chakra.span fontFamily="mono" fontSize="sm">
          AS{username}
        </chakra.span>
        <Button size="sm" onClick={() => mutate()} isPending={isPending}>
          Logout
        </Button>
      </chakra.div>
      {isError && (
        <Notice tone="error">
          The server could not log you out, so you are still logged in on this device. Try again in a moment.
        </Notice>
      )}
    </chakra.div>
  );
}
