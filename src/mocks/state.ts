import type { AccountDeletion } from "../contract/call-tables/accounts/account-calls.ts";
import type { Passkey } from "../contract/call-tables/accounts/passkey-calls.ts";
import type { ApiToken } from "../contract/call-tables/accounts/token-calls.ts";
import type { PublicPeering } from "../contract/agent.ts";
import type { CallName } from "../contract/calls.ts";
import type { Task } from "../contract/entities.ts";
import type { PushSettings } from "../contract/push.ts";
import type { OptionValues } from "../domain/peering/fields/option-values.ts";
import type { Health } from "../domain/health.ts";

/** The state of the mock backend; plain JSON, so that a browser tab can store it over a reload. */
export interface MockState {
  /** AS number to password. */
  accounts: Record<string, string>;
  /** The logged-in AS; null for a visitor. */
  loggedInAs: string | null;
  peerings: MockPeering[];
  tasks: MockTask[];
  /** Nodes that get another public key, with the date: milliseconds since 1970. */
  rekeys: Record<string, number>;
  /** The subscription of the only login session; null if there is none. */
  pushSubscription: PushSettings["subscription"];
  /** IDs of login sessions that were ended. */
  endedLoginSessions: string[];
  passkeys: Passkey[];
  isPasswordOff: boolean;
  /** Whether the login was too long ago for a change of passkeys. */
  isLoginOld: boolean;
  apiTokens: ApiToken[];
  /** The last deletion of the account; null: none. */
  accountDeletion: AccountDeletion | null;
  /** Calls that respond with 500. */
  failing: CallName[];
  /** Calls that never respond. */
  hanging: CallName[];
}

export interface MockPeering {
  readonly asn: string;
  readonly node: string;
  readonly generation: number;
  readonly peering: PublicPeering;
  readonly options: OptionValues;
  /** Empty without one. */
  readonly presharedKey: string;
  readonly customLocalIpv6: string | null;
  readonly health: Health;
}

export interface MockTask {
  readonly asn: string;
  task: Task;
  /** Responses to the next polls, in their order. After the last one, `task` stays as it is. */
  upcoming: Task[];
  /** The peering that the last response leaves; null: none. */
  readonly peeringAfter: MockPeering | null;
}

export interface MockOutcome {
  readonly status: "success" | "failed" | "error";
  readonly reason: string;
}

export const participant = { asn: "4242420001", password: "password" } as const;

/** A backend with one participant who has no peerings and is not logged in. */
export function emptyState(): MockState {
  return {
    accounts: { [participant.asn]: participant.password },
    loggedInAs: null,
    peerings: [],
    tasks: [],
    rekeys: {},
    pushSubscription: null,
    endedLoginSessions: [],
    passkeys: [],
    isPasswordOff: false,
    isLoginOld: false,
    apiTokens: [],
    accountDeletion: null,
    failing: [],
    hanging: [],
  };
}
