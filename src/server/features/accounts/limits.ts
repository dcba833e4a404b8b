import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { formatAddress, networkOf, parseAddress } from "../../../domain/prefix.ts";
import { Refusal } from "../../http/refusal.ts";

export interface Bucket {
  readonly points: number;
  readonly seconds: number;
  /** What there was too much of, as the start of a sentence. */
  readonly tooMany: string;
}

/**
 * How often who may do what. None of them locks an account: whoever is refused waits until the window is
 * over. They live in this process's memory; several servers each count for themselves.
 */
const buckets = {
  /** A link is sent once and perhaps again; the rest would be somebody filling another's mailbox. */
  mailPerAs: { points: 5, seconds: 3600, tooMany: "Too many mails for this AS number" },
  /** Room for a conference behind one address, none for a walk through all AS numbers. */
  mailPerClient: { points: 60, seconds: 3600, tooMany: "Too many requests for mail" },
  /** Failures only. 120 guesses an hour against one account, from however many addresses. */
  signInPerAs: { points: 10, seconds: 300, tooMany: "Too many failed attempts to sign in" },
  /** Failures only. One address cannot try a common password on every account. */
  signInPerClient: { points: 100, seconds: 900, tooMany: "Too many failed attempts to sign in" },
  /** Every try costs a hash; a token cannot be guessed in any case. */
  setPasswordPerClient: { points: 60, seconds: 900, tooMany: "Too many attempts to set a password" },
  /** Each one is a mail to support. */
  contactPerAs: { points: 10, seconds: 3600, tooMany: "Too many messages" },
} satisfies Record<string, Bucket>;

export type LimitName = keyof typeof buckets;

export interface Limit {
  /** Counts one; throws `Refusal` 429 that says when to come back. */
  take(key: string): Promise<void>;
  /** Takes one count back: it was not of the kind that is limited. */
  giveBack(key: string): Promise<void>;
}

export type Limits = Readonly<Record<LimitName, Limit>>;

/** The limits above, with other numbers where they are given. */
export function createLimits(
  numbers: Partial<Record<LimitName, Pick<Bucket, "points" | "seconds">>> = {},
): Limits {
  const names = Object.keys(buckets) as LimitName[];
  return Object.fromEntries(
    names.map((name) => [name, createLimit({ ...buckets[name], ...numbers[name] })]),
  ) as Record<LimitName, Limit>;
}

function createLimit({ points, seconds, tooMany }: Bucket): Limit {
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  return {
    async take(key) {
      try {
        await limiter.consume(key);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        throw tooOften(tooMany, Math.max(1, Math.ceil(error.msBeforeNext / 1000)));
      }
    },
    giveBack: async (key) => void (await limiter.reward(key)),
  };
}

function tooOften(tooMany: string, retryAfterSeconds: number): Refusal {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new Refusal(
    429,
    { message: `${tooMany}. Nothing was changed; wait ${wait} and try again.` },
    { retryAfterSeconds },
  );
}

/** Whose doing a request is: an IPv4 address, or an IPv6 /64, of which one person holds all addresses. */
export function clientKey(clientAddress: string): string {
  const address = parseAddress(clientAddress);
  if (address?.bits !== 128) return clientAddress;
  return formatAddress({ ...address, value: networkOf(address, 64) });
}
