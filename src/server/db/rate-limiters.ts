import { type RateLimiterAbstract, RateLimiterMemory } from "rate-limiter-flexible";

export interface RateLimiterOptions {
  /** Separates the keys of this limiter from those of others. */
  readonly keyPrefix: string;
  readonly points: number;
  /** In seconds. */
  readonly duration: number;
}

/** Creates a rate limiter that counts for all servers that use the same database. */
export type CreateRateLimiter = (options: RateLimiterOptions) => RateLimiterAbstract;

/** Creates rate limiters in memory, for a database that only one process uses. */
export const createLocalRateLimiter: CreateRateLimiter = (options) => new BoundedMemoryLimiter(options);

const maxKeys = 50_000;

/** Forgets the key that was counted longest ago when there are too many, so that a flood of keys cannot fill the memory. */
class BoundedMemoryLimiter extends RateLimiterMemory {
  readonly #keys = new Set<string>();

  override async consume(key: string) {
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > maxKeys && oldest !== undefined) await this.delete(oldest);
    return super.consume(key);
  }

  override delete(key: string) {
    this.#keys.delete(key);
    return super.delete(key);
  }
}
