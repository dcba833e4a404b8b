import { chakra } from "@chakra-ui/react/styled-system";
import { MenuLink } from "./menu-link.tsx";

const screens = [
  { to: "/", label: "Home" },
  { to: "/status", label: "Status" },
  { to: "/map", label: "Map" },
] as const;

export interface PublicLinksProps {
  readonly direction: "row" | "column";
}

/** The way out of the manager: an installed app has no address bar. */
export function PublicLinks({ direction }: PublicLinksProps) {
  return (
    <chakra.ul display="flex" flexDirection={direction} gap="1">
      {screens.map(({ to, label }) => (
        <li key={to}>
          <MenuLink to={to}>{label}</MenuLink>
        </li>
      ))}
    </chakra.ul>
  );
}
