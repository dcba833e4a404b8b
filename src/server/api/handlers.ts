import type { Call, CallResponse, CallBody } from "../../contract/call.ts";
import type { Calls } from "../../contract/calls.ts";
import type { AuditOrigin } from "../audit/audit-event.ts";
import type { TokenRights } from "./tokens/token-rights.ts";

/** The caller of a request and its cookies, for handlers. */
export interface RequestContext {
  /** The client's address; behind a trusted proxy the address that the proxy reports. */
  readonly clientAddress: string;
  /** The AS of the login session or the API token, or null for an anonymous caller. */
  readonly asn: string | null;
  /** What the caller's API token may do; null without one. Then there is no cookie, and none is set. */
  readonly apiToken: TokenRights | null;
  /** The token from the login cookie, valid or not; null without a cookie. */
  readonly loginToken: string | null;
  /** The cookie of known clients (known-clients.ts), valid or not; null without one. */
  readonly knownClientCookie: string | null;
  /** The secret of the browser that requests challenges (`challenge-store.ts`); null without one. */
  readonly challengeCookie: string | null;
  /** Where the request comes from, for the audit log and for mails. */
  readonly origin: RequestOrigin;
  /** Aborts when the client disconnects before the response. */
  readonly signal: AbortSignal;
  /** Sets the login cookie in the response; null deletes it. */
  setLoginToken(token: string | null): void;
  /** Sets the cookie of known clients in the response. */
  setKnownClientCookie(value: string): void;
  /** Sets the cookie with which this browser returns its challenges. */
  setChallengeCookie(value: string): void;
}

export interface RequestOrigin extends AuditOrigin {
  readonly clientAddress: string;
  /** The client's User-Agent header: any text. */
  readonly userAgent: string | null;
  /** The public URL that the client used: links in mails about the request start with it. */
  readonly publicUrl: string;
}

/** A request whose caller is logged in and acts for their own AS. */
export interface LoggedInContext extends RequestContext {
  readonly asn: string;
}

type ContextOf<C extends Call> = C["access"] extends "participant" ? LoggedInContext : RequestContext;

/** Handles one call. Throws `HttpError` for every status but 200. */
export type Handler<C extends Call> = (
  requestBody: CallBody<C>,
  context: ContextOf<C>,
) => Promise<CallResponse<C>>;

/** One handler for every call of the contract: a missing one fails the type check. */
export type Handlers = { readonly [Name in keyof Calls]: Handler<Calls[Name]> };
