import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { formatAddress, networkOf, parseAddress } from "../../domain/prefix.ts";
import { HttpError } from "../../contract/http-error.ts";

export interface Bucket {
  readonly points: number;
  readonly seconds: number;
  /** The start of the error message. */
  readonly tooMany: string;
}

/**
 * The rate limits. None of them locks an account: a rejected client can retry after the window. They are kept in
 * memory; each server counts for itself.
 */
const buckets = {
  /** A participant requests a link once or twice; more requests flood a mailbox. */
  mailPerAs: { points: 5, seconds: 3600, tooMany: "Too many mails for this AS number" },
  /** Enough for a conference behind one address, too few to try all AS numbers. */
  mailPerClient: { points: 60, seconds: 3600, tooMany: "Too many requests for mail" },
  /** Counts failures only. Allows 120 guesses an hour against one account from all unknown clients together, and as many from each known client. */
  loginPerAs: { points: 10, seconds: 300, tooMany: "Too many failed attempts to sign in" },
  /** Counts failures only. One address cannot try a common password on every account. */
  loginPerClient: { points: 100, seconds: 900, tooMany: "Too many failed attempts to sign in" },
  /** Every attempt costs a hash. Guessing a token is infeasible anyway. */
  setPasswordPerClient: { points: 60, seconds: 900, tooMany: "Too many attempts to set a password" },
  /** Each message is a mail to support. */
  contactPerAs: { points: 10, seconds: 3600, tooMany: "Too many messages" },
} satisfies Record<string, Bucket>;

export type LimitName = keyof typeof buckets;

export interface RateLimit {
  /** Counts one. Throws `HttpError` 429 with the time to wait if the limit is exceeded. */
  take(key: string): Promise<void>;
  /** Takes one count back, for an attempt that does not count. */
  giveBack(key: string): Promise<void>;
}

export type RateLimits = Readonly<Record<LimitName, RateLimit>>;

/** Creates the limits above, with other numbers where given. */
export function createRateLimits(
  numbers: Partial<Record<LimitName, Pick<Bucket, "points" | "seconds">>> = {},
): RateLimits {
  const names = Object.keys(buckets) as LimitName[];
  return Object.fromEntries(
    names.map((name) => [name, createLimit({ ...buckets[name], ...numbers[name] })]),
  ) as Record<LimitName, RateLimit>;
}

function createLimit({ points, seconds, tooMany }: Bucket): RateLimit {
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  return {
    async take(key) {
      try {
        await limiter.consume(key);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        throw rateLimitError(tooMany, Math.max(1, Math.ceil(error.msBeforeNext / 1000)));
      }
    },
    giveBack: async (key) => void (await limiter.reward(key)),
  };
}

function rateLimitError(tooMany: string, retryAfterSeconds: number): HttpError {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new HttpError(
    429,
    { message: `${tooMany}. Nothing was changed; wait ${wait} and try again.` },
    { retryAfterSeconds },
  );
}

/** The key that identifies a client: an IPv4 address, or the /64 of an IPv6 address, which one client owns whole. */
export function toClientKey(clientAddress: string): string {
  const address = parseAddress(clientAddress);
  if (address?.bits !== 128) return clientAddress;
  return formatAddress({ ...address, value: networkOf(address, 64) });
}
