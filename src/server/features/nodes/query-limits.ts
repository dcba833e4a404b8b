import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Refusal } from "../../http/refusal.ts";

/** Live queries start processes on routers, so an AS may make only so many. */
export interface QueryLimits {
  /** Runs the query; throws `Refusal` 429 when the AS has too many under way or made too many lately. */
  run<T>(asn: string, query: () => Promise<T>): Promise<T>;
}

const underWayAtOnce = 4;

export function createQueryLimits(perMinute = 60): QueryLimits {
  const recent = new RateLimiterMemory({ points: perMinute, duration: 60 });
  const underWay = new Map<string, number>();
  return {
    async run(asn, query) {
      await recent.consume(asn).catch((reason: unknown) => {
        throw reason instanceof RateLimiterRes ? tooMany() : reason;
      });
      const before = underWay.get(asn) ?? 0;
      if (before >= underWayAtOnce) throw tooMany();
      underWay.set(asn, before + 1);
      try {
        return await query();
      } finally {
        const left = (underWay.get(asn) ?? 1) - 1;
        if (left === 0) underWay.delete(asn);
        else underWay.set(asn, left);
      }
    },
  };
}

function tooMany(): Refusal {
  return new Refusal(429, { message: "Too many queries at once. Wait a moment and try again." });
}
