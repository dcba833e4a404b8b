import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { showAppBadge } from "#web/browser/app-badge.ts";
import { peerStatusQuery } from "./peer-status-query.ts";
import { needsParticipant } from "./dashboard/peering-needs.ts";

/** Shows on the icon of the installed app how many peerings need the participant. Requests nothing itself. */
export function useAppBadge(username: string): void {
  const { data: peerings } = useQuery({ ...peerStatusQuery(username), enabled: false });
  const count = peerings?.filter(needsParticipant).length;
  useEffect(() => {
    if (count !== undefined) showAppBadge(count);
  }, [count]);
}
