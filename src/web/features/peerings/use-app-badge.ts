import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { showAppBadge } from "#browser-storage/app-badge.ts";
import { needsParticipant } from "./dashboard/peering-needs.ts";
import { peerStatusQuery } from "./peer-status-query.ts";

/** Shows on the icon of the installed app how many peerings need the participant. Requests nothing itself. */
export function useAppBadge(username: string): void {
  const { data: peerings, dataUpdatedAt } = useQuery({ ...peerStatusQuery(username), enabled: false });
  const count = peerings?.filter(needsParticipant).length;
  useEffect(() => {
    if (count !== undefined) showAppBadge(count);
    // Also with an unchanged count: a push message may have changed the badge meanwhile.
  }, [count, dataUpdatedAt]);
  // The end of the login session removes this component in every tab. A page that is closed leaves the badge.
  useEffect(() => () => showAppBadge(0), []);
}
