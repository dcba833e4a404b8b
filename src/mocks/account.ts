/** The account of the mock backend's participant: its login sessions, its export and its deletion. */
import type {
  Account,
  AccountDeletion,
  AccountExport,
  LoginSession,
} from "../contract/call-tables/accounts/account-calls.ts";
import type { tokenCalls } from "../contract/call-tables/accounts/token-calls.ts";
import type { CallBody, CallResponse } from "../contract/call.ts";
import { HttpError } from "../contract/http-error.ts";
import type { MockState } from "./state.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export function accountOf({ accountDeletion, isPasswordOff }: MockState): Account {
  const running = accountDeletion?.state === "running" ? accountDeletion : null;
  const created = Date.UTC(2026, 2, 14, 9, 30);
  return { created, holder: "ADA-MNT", deletion: running, password_off: isPasswordOff };
}

/** Three login sessions, of which two can be ended. */
export function loginSessionsOf({ endedLoginSessions }: MockState, now: number): LoginSession[] {
  const sessions: readonly LoginSession[] = [
    loginSession("aaaaaaaa-0000-4000-8000-000000000001", now, {
      created: 2 * dayMs,
      used: 0,
      prefix: "198.51.100.0/24",
      browser: "Firefox on Linux",
    }),
    loginSession("aaaaaaaa-0000-4000-8000-000000000002", now, {
      created: 20 * dayMs,
      used: 5 * hourMs,
      prefix: "2001:db8:1::/48",
      browser: "Safari on iOS",
    }),
    loginSession("aaaaaaaa-0000-4000-8000-000000000003", now, {
      created: 61 * dayMs,
      used: 26 * dayMs,
      prefix: null,
      browser: "Unknown browser",
    }),
  ];
  return sessions.filter(({ id }) => !endedLoginSessions.includes(id));
}

interface SessionAges {
  readonly created: number;
  readonly used: number;
  readonly prefix: string | null;
  readonly browser: string;
}

function loginSession(
  id: string,
  now: number,
  { created, used, prefix, browser }: SessionAges,
): LoginSession {
  return {
    id,
    created: now - created,
    last_used: now - used,
    ends: Math.min(now - used + 30 * dayMs, now - created + 90 * dayMs),
    address_prefix: prefix,
    browser,
    current: used === 0,
  };
}

export function endLoginSession(state: MockState, id: string): void {
  const session = loginSessionsOf(state, 0).find((each) => each.id === id);
  if (!session) {
    const message = "This login session has already ended. Nothing was changed.";
    throw new HttpError(404, { message, field: "id" });
  }
  state.endedLoginSessions.push(id);
  if (session.current) state.loggedInAs = null;
}

/** Throws unless the password is that of the AS. */
export function confirmPassword(state: MockState, asn: string, password: string, field: string): void {
  if (state.accounts[asn] === password) return;
  throw new HttpError(422, { message: "This is not your current password. Nothing was changed.", field });
}

export function exportAccount(state: MockState, asn: string, now: number): AccountExport {
  return {
    username: asn,
    exported: now,
    account: accountOf(state),
    login_sessions: loginSessionsOf(state, now),
    passkeys: state.passkeys,
    api_tokens: state.apiTokens,
    peerings: state.peerings
      .filter((each) => each.asn === asn)
      .map(({ node, peering, generation }) => ({
        node,
        request: { endpointHost: peering.endpointHost },
        peering: { ...peering },
        generation,
        deleting: false,
      })),
    tasks: [],
    push_subscriptions: [],
    traffic: state.peerings
      .filter((each) => each.asn === asn)
      .flatMap(({ node }) => [
        { node, at: now - 60_000, received: 5_280_000, sent: 1_188_000 },
        { node, at: now, received: 10_560_000, sent: 2_376_000 },
      ]),
    half_hours: [],
    sessions: [],
    contact_messages: [],
    activity: [],
  };
}

export function createApiToken(
  state: MockState,
  { name, scope, node, days, ends_with_password }: CallBody<typeof tokenCalls.createApiToken>,
  now: number,
): CallResponse<typeof tokenCalls.createApiToken> {
  const id = `mock-token-${state.apiTokens.length + 1}`;
  const expires = now + days * dayMs;
  const token = { id, name, scope, node, created: now, expires, ends_with_password };
  const created = { ...token, last_used: null, address_prefix: null };
  state.apiTokens = [created, ...state.apiTokens];
  return { token: `peerdeck_${"mock".repeat(10)}abc`, api_token: created };
}

export function revokeApiToken(state: MockState, id: string): void {
  if (!state.apiTokens.some((each) => each.id === id)) {
    throw new HttpError(404, {
      message: "This API token has already ended. Nothing was changed.",
      field: "id",
    });
  }
  state.apiTokens = state.apiTokens.filter((each) => each.id !== id);
}

const deletionId = "bbbbbbbb-0000-4000-8000-000000000001";

export function startAccountDeletion(state: MockState, asn: string, now: number): AccountDeletion {
  const peerings = state.peerings
    .filter((each) => each.asn === asn)
    .map(({ node }) => ({ node, taskID: `remove-${node}`, reason: "", next_attempt: null }));
  state.accountDeletion ??= { id: deletionId, state: "running", started: now, peerings };
  return state.accountDeletion;
}

/** Each look at a running deletion removes one peering; the one after the last removes the account. */
export function pollAccountDeletion(state: MockState, id: string): AccountDeletion {
  const deletion = state.accountDeletion;
  if (deletion?.id !== id) {
    throw new HttpError(404, { message: "There is no such deletion of an account.", field: "id" });
  }
  if (deletion.state !== "running") return deletion;
  const [removed, ...peerings] = deletion.peerings;
  if (removed) state.peerings = state.peerings.filter(({ node }) => node !== removed.node);
  state.accountDeletion = removed ? { ...deletion, peerings } : { ...deletion, state: "deleted" };
  if (!removed && state.loggedInAs !== null) {
    state.accounts = Object.fromEntries(
      Object.entries(state.accounts).filter(([asn]) => asn !== state.loggedInAs),
    );
    state.loggedInAs = null;
  }
  return state.accountDeletion;
}

export function cancelAccountDeletion(state: MockState, asn: string): void {
  if (state.accountDeletion?.state !== "running") {
    throw new HttpError(404, { message: `No deletion of the account of AS${asn} is running.` });
  }
  state.accountDeletion = { ...state.accountDeletion, state: "cancelled", peerings: [] };
}
