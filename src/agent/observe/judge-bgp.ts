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
    bgpIssues: tunnel === "Down" && up < wanted.length ? [waits] : issuesOf(known),
  };
}

const waits = "BGP waits for the tunnel: mend that first.";

/** The advice is the same for every session, so it is given once, after all that it is for. */
function issuesOf(sessions: readonly SessionObservation[]): string[] {
  const namesByFault = new Map<string, string[]>();
  for (const { name, state, detail } of sessions) {
    if (state === established) continue;
    const fault = detail === "" ? state : `${state} (${detail})`;
    namesByFault.set(fault, [...(namesByFault.get(fault) ?? []), name]);
  }
  if (namesByFault.size === 0) return [];
  const faults = Array.from(
    namesByFault,
    ([fault, names]) => `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} ${fault}`,
  );
  return [
    `${faults.join(", and ")}. Check that your BGP daemon runs, that the neighbour address and both AS ` +
      "numbers are those under Edit Peering, and that your firewall lets TCP port 179 in on the tunnel.",
  ];
}
