import type { Peering } from "../contract/agent.ts";
import type { CallName } from "../contract/calls.ts";
import type { Task } from "../contract/entities.ts";
import type { PushSettings } from "../contract/push.ts";
import type { Health } from "../domain/health.ts";

/** Everything the mock backend remembers; plain JSON, so that a browser tab can keep it over a reload. */
export interface MockState {
  /** AS number to password. */
  accounts: Record<string, string>;
  /** The signed-in AS; null for a visitor. */
  signedIn: string | null;
  peerings: MockPeering[];
  tasks: MockTask[];
  /** Of the one session; null: it has none. */
  pushSubscription: PushSettings["subscription"];
  /** Calls that answer 500. */
  failing: CallName[];
  /** Calls that never answer. */
  hanging: CallName[];
}

export interface MockPeering {
  readonly asn: string;
  readonly node: string;
  readonly generation: number;
  readonly peering: Peering;
  readonly customLocalIpv6: string | null;
  readonly health: Health;
}

export interface MockTask {
  readonly asn: string;
  task: Task;
  /** Steps that are still to come; each poll brings the next. */
  upcoming: string[];
  /** Waits for as long as anybody polls. */
  readonly endless: boolean;
  readonly ending: MockEnding;
  /** What ran before, restored when the task does not succeed; null where there was nothing. */
  readonly previous: MockPeering | null;
}

export interface MockEnding {
  readonly status: "success" | "failed" | "error";
  readonly reason: string;
}

export const participant = { asn: "4242420001", password: "password" } as const;

/** A backend with one participant, who has no peerings and is not signed in. */
export function emptyState(): MockState {
  return {
    accounts: { [participant.asn]: participant.password },
    signedIn: null,
    peerings: [],
    tasks: [],
    pushSubscription: null,
    failing: [],
    hanging: [],
  };
}
