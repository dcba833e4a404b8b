/** The node's own addresses on the loopback interface. The kernel drops those of IPv6 when the interface is set down. */
import type { Finding } from "#domain/findings/findings.ts";
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
  /** Does not reject if the kernel refuses an address. */
  readonly restore: () => Promise<void>;
  /** Which addresses the kernel refused, for the node's health. */
  readonly findings: () => readonly Finding[];
}

const loopback = "lo";
/** The pause after which an address that the kernel refused is tried again. */
const retryMs = 60_000;

/**
 * Adds the node's own addresses to the loopback interface, which is always up; BIRD uses them as source addresses. Existing ones stay, and
 * all of them stay when the agent ends. The agent starts without one that the kernel refuses: peerings may not need it.
 *
 * @param addresses in the syntax of `ip address`, with lengths
 */
export async function openNodeAddresses(options: {
  readonly addresses: readonly string[];
  readonly run: Run;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Log, "warn">;
}): Promise<NodeAddresses> {
  const { addresses, run, clock, log } = options;
  const refused = new Map<string, { readonly at: number; readonly finding: Finding }>();
  let pending: readonly string[] = addresses;
  const canBeAdded = (address: string) => clock.now() - (refused.get(address)?.at ?? -Infinity) >= retryMs;

  async function add(address: string): Promise<void> {
    try {
      await runOk(run, "ip", ["address", "replace", address, "dev", loopback]);
      refused.delete(address);
    } catch (error) {
      if (!(error instanceof ProcessError)) throw error;
      const facts = { address: address.replace(/\/.*/, ""), output: toOutput(error.message) };
      refused.set(address, { at: clock.now(), finding: { code: "node-address-not-set", facts } });
      log.warn({ err: error, address }, "an address of the node cannot be added to the loopback interface");
    }
  }

  async function restore(): Promise<void> {
    for (const address of pending) await add(address);
    pending = [];
  }

  await restore();
  return {
    findMissing: (links) => {
      const present = new Set(links.get(loopback)?.addresses);
      return addresses.filter((address) => !present.has(address) && canBeAdded(address));
    },
    restoreNext: (next) => {
      pending = [...new Set([...pending, ...next])];
    },
    isCurrent: () => pending.length === 0,
    restore,
    findings: () => Array.from(refused.values(), ({ finding }) => finding),
  };
}
