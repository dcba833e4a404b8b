import type { Call, CallAnswer, CallBody } from "../../contract/call.ts";
import type { Calls } from "../../contract/calls.ts";

/** What a handler may know of the caller, and do to the cookie, beyond the body. */
export interface Exchange {
  /** The caller's address, behind trusted proxies that of their client. */
  readonly clientAddress: string;
  /** The session's AS, or null for an anonymous caller. */
  readonly asn: string | null;
  /** The session's token from the cookie, valid or not; null without a cookie. */
  readonly sessionToken: string | null;
  /** Aborts when the caller leaves before the answer. */
  readonly signal: AbortSignal;
  /** Puts a session token into the answer's cookie; null removes the cookie. */
  setSessionToken(token: string | null): void;
}

/** An exchange whose caller is signed in and acts for no other AS. */
export interface SignedInExchange extends Exchange {
  readonly asn: string;
}

type ExchangeOf<C extends Call> = C["access"] extends "session" ? SignedInExchange : Exchange;

/** Answers one call; throws `Refusal` for anything but 200. */
export type Handler<C extends Call> = (body: CallBody<C>, exchange: ExchangeOf<C>) => Promise<CallAnswer<C>>;

/** One handler for every call of the contract: a missing one fails the type check. */
export type Handlers = { readonly [Name in keyof Calls]: Handler<Calls[Name]> };
