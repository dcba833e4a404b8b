import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import { HttpError } from "../../contract/http-error.ts";
import { restartRestMs } from "../../contract/diagnostics.ts";
import { listClientNetworks } from "../../domain/client-key.ts";
import { countOf } from "../../domain/text/plural.ts";
import type { CreateRateLimiter } from "../db/rate-limiters.ts";

export interface Bucket {
  readonly points: number;
  readonly seconds: number;
  /** The start of the error message. */
  readonly tooMany: string;
}

/**
 * The rate limits. None of them locks an account: a rejected client can retry after the window, and what strangers do
 * does not count against known clients (known-clients.ts). Servers with one PostgreSQL database count together.
 */
const buckets = {
  /** A participant requests a link once or twice. Counted per known client, or per AS and client address. */
  mailPerAsAndClient: { points: 5, seconds: 3600, tooMany: "Too many mails for this AS number" },
  /** More requests of unknown clients flood a mailbox. */
  mailPerAs: { points: 15, seconds: 3600, tooMany: "Too many mails for this AS number" },
  /** Links of all unknown clients together, so that a flood from many networks cannot fill the mail queue (decision 58). */
  mailOfServer: { points: 75, seconds: 1200, tooMany: "Too many links were requested from the server" },
  /** A quarter more, for networks that have requested none: what a flood from others cannot use up. */
  mailOfNewNetworks: { points: 25, seconds: 1200, tooMany: "Too many links were requested from the server" },
  /** Counts whether a network has requested a link meanwhile. */
  mailPerNetwork: { points: 1, seconds: 1200, tooMany: "Too many links were requested from the server" },
  /** Counts failures only. Allows 120 guesses an hour against one account from all unknown clients together, and as many from each known client. */
  failedLoginPerAs: { points: 10, seconds: 300, tooMany: "Too many failed logins" },
  /** Counts successes, and failures of known clients: strangers cannot use it up. Every login costs a hash and a login session. */
  loginPerAs: { points: 60, seconds: 300, tooMany: "Too many logins for this AS number" },
  /** Counts successes only, also of confirmed passwords. Each is one or two rows of the audit log, which is kept for months. */
  loginPerAsAndDay: { points: 2000, seconds: 86_400, tooMany: "Too many logins for this AS number in a day" },
  /** Each login from a new client is a mail. More would flood the mailbox and tell nothing new. */
  newClientMailPerAs: { points: 10, seconds: 3600, tooMany: "Too many mails about logins" },
  /** Each export reads every table. */
  exportPerAs: { points: 10, seconds: 3600, tooMany: "Too many exports" },
  /** A form is checked whenever a field is left. More requests search for the addresses and keys of others. */
  checkPerAs: { points: 120, seconds: 600, tooMany: "Too many checks" },
  /** A device reads all configurations once an hour, and after deployments. Each read parses every peering of the AS. */
  configsPerAs: { points: 60, seconds: 600, tooMany: "Too many reads of all configurations" },
  /** Every edit configures BIRD again. Counts new deployments of a peering; a deletion needs one before it, and is never limited. */
  changePerPeering: { points: 20, seconds: 60, tooMany: "Too many changes of this peering" },
  /** Three times as many on all nodes together: a script that changes every peering again and again loads every node. */
  changePerAs: { points: 60, seconds: 60, tooMany: "Too many changes of peerings of this AS" },
  /**
   * A change is two rows of the audit log, 1.6 KB: 1 MB a day for each AS. Without this limit, 60 changes in every minute are
   * 140 MB a day.
   */
  changePerAsAndDay: {
    points: 500,
    seconds: 86_400,
    tooMany: "Too many changes of peerings of this AS in a day",
  },
  /** Each change of passkeys is a mail, and a row of the audit log. A requested ceremony is a row for 15 minutes. */
  passkeyChangePerAs: { points: 60, seconds: 3600, tooMany: "Too many changes of passkeys" },
  /** Each restart drops the sessions, which need some time to come back. Counts restarts that happened, or may have. */
  restartPerPeering: {
    points: 1,
    seconds: restartRestMs / 1000,
    tooMany: "BGP of this peering was restarted a moment ago",
  },
  /** Each query starts a process on a router. */
  queryPerAs: { points: 60, seconds: 60, tooMany: "Too many queries" },
  /**
   * Each measurement sends probes from every node to a host that the participant has entered. A result is shared for ten
   * minutes, so only another host needs a new one.
   */
  measurementPerAs: { points: 10, seconds: 600, tooMany: "Too many measurements" },
  /** Each attempt reads a row and computes a proof; with a right one, the server connects to an agent. */
  joinOfServer: { points: 600, seconds: 900, tooMany: "Too many nodes tried to join" },
  /** Each token is a mail, and two rows of the audit log. */
  apiTokenPerAs: { points: 30, seconds: 3600, tooMany: "Too many new API tokens" },
  /** Each message is a mail to support. */
  contactPerAs: { points: 10, seconds: 3600, tooMany: "Too many messages" },
} satisfies Record<string, Bucket>;

/** Limits of client addresses. */
const clientBuckets = {
  /** Enough for a conference behind one address, too few to try all AS numbers. */
  mailPerClient: { points: 60, seconds: 3600, tooMany: "Too many requests for mail" },
  /** Counts failures of unknown clients only. One address cannot try a common password on every account. */
  failedLoginPerClient: { points: 100, seconds: 900, tooMany: "Too many failed logins" },
  /** Every attempt costs a hash. Guessing a token is infeasible anyway. */
  setPasswordPerClient: { points: 60, seconds: 900, tooMany: "Too many attempts to set a password" },
  /** Each request is a row for 15 minutes. No one receives anything, so there is no limit of the AS that strangers could use up. */
  challengePerClient: { points: 60, seconds: 3600, tooMany: "Too many requests for a text to sign" },
  /** Each proof reads the registry and may start a process. */
  proofPerClient: { points: 60, seconds: 900, tooMany: "Too many proofs" },
  /** Each request is a row for 15 minutes. Failures count as failed logins. */
  passkeyLoginPerClient: { points: 120, seconds: 900, tooMany: "Too many logins with a passkey" },
  /** Counts failures only. Guessing is infeasible: this bounds the reads of scripts whose token has ended. */
  failedApiTokenPerClient: {
    points: 60,
    seconds: 900,
    tooMany: "Too many requests with an invalid API token",
  },
  /** A node that joins needs two attempts, and more while its operator opens a firewall. */
  joinPerClient: { points: 60, seconds: 900, tooMany: "Too many attempts to join" },
} satisfies Record<string, Bucket>;

/** For each of `listClientNetworks`: a /56 may use up the limit of two clients, and a /48 that of four. */
const networkFactors = [1, 2, 4] as const;

type BucketName = keyof typeof buckets;
type ClientBucketName = keyof typeof clientBuckets;
export type LimitName = BucketName | ClientBucketName;

/** For the description of the calls. */
export const limitNumbers: Readonly<Record<LimitName, Bucket>> = { ...buckets, ...clientBuckets };

export interface RateLimit {
  /** Counts one. Throws `HttpError` 429 with the time to wait if the limit is exceeded. */
  take(key: string): Promise<void>;
  /** Takes one count back, for an attempt that does not count. */
  giveBack(key: string): Promise<void>;
  /** Returns the error that `take` would throw, or null. Counts nothing. */
  findExcess(key: string): Promise<HttpError | null>;
  /** Counts one that has happened, also beyond the limit. Does not reject: the count is lost if the database fails. */
  add(key: string): Promise<void>;
}

export interface ClientRateLimit {
  /** What an attempt from a client address counts for: the client, and the networks that it may own. */
  countsOf(clientAddress: string): readonly Count[];
}

export type RateLimits = Readonly<Record<BucketName, RateLimit> & Record<ClientBucketName, ClientRateLimit>>;

/** Creates the limits above, with other numbers where given. */
export function createRateLimits(
  createRateLimiter: CreateRateLimiter,
  numbers: Partial<Record<LimitName, Pick<Bucket, "points" | "seconds">>> = {},
): RateLimits {
  const create = (name: LimitName, bucket: Bucket, factor = 1) => {
    const { points, seconds, tooMany } = { ...bucket, ...numbers[name] };
    return createLimit(
      createRateLimiter({ keyPrefix: name, points: points * factor, duration: seconds }),
      tooMany,
      seconds,
    );
  };
  return {
    ...mapEntries(buckets, (name) => create(name, buckets[name])),
    ...mapEntries(clientBuckets, (name) =>
      createClientLimit(networkFactors.map((factor) => create(name, clientBuckets[name], factor))),
    ),
  };
}

function mapEntries<Name extends string, T>(
  given: Readonly<Record<Name, unknown>>,
  create: (name: Name) => T,
): Record<Name, T> {
  const names = Object.keys(given) as Name[];
  return Object.fromEntries(names.map((name) => [name, create(name)])) as Record<Name, T>;
}

function createClientLimit(limits: readonly RateLimit[]): ClientRateLimit {
  return {
    countsOf: (clientAddress) => {
      const networks = listClientNetworks(clientAddress);
      return limits.slice(0, networks.length).map((limit, index) => ({ limit, key: networks[index] ?? "" }));
    },
  };
}

function createLimit(limiter: RateLimiterAbstract, tooMany: string, seconds: number): RateLimit {
  async function giveBack(key: string): Promise<void> {
    const { consumedPoints } = await limiter.reward(key);
    // Rejected attempts leave no rows and use no memory. One that is counted in between may be lost.
    if (consumedPoints <= 0) await limiter.delete(key);
  }

  return {
    async take(key) {
      try {
        await limiter.consume(key);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        // Otherwise rejected attempts would still count when others are given back.
        await giveBack(key);
        throw rateLimitError(tooMany, seconds, error);
      }
    },
    giveBack,
    async findExcess(key) {
      const counted = await limiter.get(key);
      return counted !== null && counted.remainingPoints <= 0
        ? rateLimitError(tooMany, seconds, counted)
        : null;
    },
    // What happened cannot be rejected any more, whether it exceeds the limit or the database fails.
    add: (key) =>
      limiter.consume(key).then(
        () => undefined,
        () => undefined,
      ),
  };
}

export interface Count {
  readonly limit: RateLimit;
  readonly key: string;
}

/** Takes one of each limit. If a limit is exceeded, gives those before it back and throws its `HttpError`. */
export async function takeAll(counts: readonly Count[]): Promise<void> {
  for (const [index, { limit, key }] of counts.entries()) {
    try {
      await limit.take(key);
    } catch (error) {
      await giveBackAll(counts.slice(0, index));
      throw error;
    }
  }
}

/** Returns the error of the first limit that is exceeded, or null. Counts nothing. */
export async function findFirstExcess(counts: readonly Count[]): Promise<HttpError | null> {
  for (const { limit, key } of counts) {
    const excess = await limit.findExcess(key);
    if (excess) return excess;
  }
  return null;
}

export async function giveBackAll(counts: readonly Count[]): Promise<void> {
  for (const { limit, key } of counts) await limit.giveBack(key);
}

/** @param seconds the window of the limit */
function rateLimitError(tooMany: string, seconds: number, { msBeforeNext }: RateLimiterRes): HttpError {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  const wait =
    seconds < 60 ? countOf(retryAfterSeconds, "second") : describeWait(Math.ceil(retryAfterSeconds / 60));
  return new HttpError(
    429,
    { message: `${tooMany}. Nothing was changed; wait ${wait} and try again.` },
    { retryAfterSeconds },
  );
}

/** "a minute", "90 minutes", "7 hours" */
function describeWait(minutes: number): string {
  if (minutes === 1) return "a minute";
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
