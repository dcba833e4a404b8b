import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "#contract/lenient.ts";
import { peeringHealth } from "#domain/findings/peering-health.ts";
import { isEstablished } from "#domain/peering/peering-path.ts";
import { bubbleState, StatusBubble, unknownWord } from "../../ui/feedback/status-bubble.tsx";
import { Since } from "./overview/since.tsx";

/** The status word of a whole peering. During a deployment it is the last state that the node reported. */
export function peeringStatusWord(status: PeerStatus): string {
  // The node does not run a new peering before its first deployment ends: there is no state to report yet.
  const isFirstDeployment = status.deployment !== null && status.bgp_status === "Not found";
  return status.known && !isFirstDeployment ? peeringHealth(status) : unknownWord;
}

/** A status word as a bubble. Any word other than OK and Issues counts as down. */
export function HealthBubble({ status }: { readonly status: string }) {
  return <StatusBubble state={bubbleState(status)} word={status} />;
}

export interface DownSinceProps {
  readonly status: PeerStatus;
  /** ", 2 min" after a sentence, instead of "since 14:05, 2 min". */
  readonly isShort?: boolean;
}

/** Since when a whole peering is down. Nothing where it is not, or where the server does not say. */
export function DownSince({ status, isShort = false }: DownSinceProps) {
  const since = peeringStatusWord(status) === "Down" ? downSince(status) : null;
  if (since === null) return null;
  return (
    <chakra.span color="fg.muted" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
      {isShort && ", "}
      <Since at={since} isShort={isShort} />
    </chakra.span>
  );
}

/**
 * When the first of the sessions that are not Established ended, in milliseconds since 1970 by the server's clock; null if the
 * server does not say.
 */
function downSince({ sessions = [] }: PeerStatus): number | null {
  const ended = sessions.filter((session) => !isEstablished(session));
  const times = ended.flatMap(({ since }) => since ?? []);
  return times.length === 0 ? null : Math.min(...times);
}
