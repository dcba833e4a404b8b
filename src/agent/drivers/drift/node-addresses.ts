/**
 * The node's own addresses on the loopback interface; BIRD uses them as source addresses. They stay when the agent ends. The
 * kernel drops those of IPv6 when the interface is set down.
 */
import type { Finding } from "#domain/findings/findings.ts";
import { withoutLength } from "#domain/prefix.ts";
import { ProcessError, type Run, runOk } from "#system/processes.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { toOutput } from "../../router-output.ts";
import type { Link } from "../wireguard/addresses.ts";

export interface NodeAddresses {
  /** Returns those that are missing and can be added. */
  readonly findMissing: (links: ReadonlyMap<string, Pick<Link, "addresses">>) => readonly string[];
  /** `restore` adds these. */
  readonly restoreNext: (addresses: readonly string[]) => void;
  readonly isCurrent: () => boolean;
  /** Whether the kernel refused an address when it was last tried. */
  readonly isRefused: (address: string) => boolean;
  /** The addresses that the kernel refused, for the node's health. */
  readonly findings: () => readonly Finding[];
  /** Does not reject if the kernel refuses an address. */
  readonly restore: () => Promise<void>;
}

const loopback = "lo";
/** The pause after which an address that the kernel refused is tried again. */
const retryMs = 60_000;

/** @param addresses in the syntax of `ip address`, with lengths */
export function createNodeAddresses(options: {
  readonly addresses: readonly string[];
  readonly run: Run;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Log, "warn">;
}): NodeAddresses {
  const { addresses, run, clock, log } = options;
  const refused = new Map<string, { readonly at: number; readonly output: string }>();
  let pending: readonly string[] = [];
  const canBeAdded = (address: string) => clock.now() - (refused.get(address)?.at ?? -Infinity) >= retryMs;

  return {
    findMissing: (links) => {
      const present = new Set(links.get(loopback)?.addresses);
      for (const address of present) refused.delete(address);
      return addresses.filter((address) => !present.has(address) && canBeAdded(address));
    },
    restoreNext: (next) => {
      pending = [...new Set([...pending, ...next])];
    },
    isCurrent: () => pending.length === 0,
    isRefused: (address) => refused.has(address),
    findings: () =>
      Array.from(refused, ([address, { output }]) => ({
        code: "node-address-not-set",
        facts: { address: withoutLength(address), output },
      })),
    restore: async () => {
      for (const address of pending) {
        try {
          await runOk(run, "ip", ["address", "replace", address, "dev", loopback]);
          refused.delete(address);
        } catch (error) {
          if (!(error instanceof ProcessError)) throw error;
          refused.set(address, { at: clock.now(), output: toOutput(error.message) });
          log.warn({ err: error, address }, "an address of the node cannot be added");
        }
      }
      pending = [];
    },
  };
}
