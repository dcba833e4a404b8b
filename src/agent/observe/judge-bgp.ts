import type { ObservedPeering, Peering } from "../../contract/agent.ts";
import { sessionsOf } from "../../domain/bgp-sessions.ts";
import type { PeeringObservation, SessionObservation } from "../drivers/router.ts";

type Bgp = Pick<ObservedPeering, "bgpStatus" | "sessions" | "bgpIssues">;

export const established = "Established";

/** The state of a peering's BGP sessions; those that the router does not know are "Not found". */
export function judgeBgp(
  peering: Peering,
  observed: PeeringObservation | undefined,
  tunnel: "Up" | "Down",
): Bgp {
  const wanted = sessionsOf(peering);
  const found = wanted.map(({ name }) => observed?.sessions.find((session) => session.name === name));
  const sessions = wanted.map(({ name, channels }, index) => ({
    name,
    families: [...channels],
    state: found[index]?.state ?? "Not found",
    detail: found[index]?.detail ?? "",
  }));
  const known = found.flatMap((session) => session ?? []);
  const up = known.filter(({ state }) => state === established).length;
  return {
    bgpStatus: known.length === 0 ? "Not found" : up === wanted.length ? "OK" : up > 0 ? "Issues" : "Down",
    sessions,
    bgpIssues: tunnel === "Down" && up < wanted.length ? [waits] : known.flatMap(issuesOf),
  };
}

const waits = "BGP waits for the tunnel: mend that first.";

function issuesOf({ name, state, detail }: SessionObservation): readonly string[] {
  if (state === established) return [];
  const why = detail === "" ? "" : ` (${detail})`;
  return [
    `${name} is ${state}${why}. Check that your BGP daemon runs, that the neighbour address and both AS ` +
      "numbers are those under Edit Peering, and that your firewall lets TCP port 179 in on the tunnel.",
  ];
}
