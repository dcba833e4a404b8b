/**
 * Reads WireGuard interfaces with `wg`: one process reads all interfaces of the machine. This process fails if it can read
 * no interface, and hangs if another program's interface does not respond. Then the wanted interfaces are read one by one.
 * After it has hung, it is not tried again for some minutes.
 */
import type { Finding } from "#domain/findings/findings.ts";
import type { Clock } from "../../clock.ts";
import { ProcessError, type ProcessResult, type Run } from "#system/processes.ts";
import { createHandshakeTimes } from "./handshake-times.ts";
import { createHandshakeWaits } from "./handshake-waits.ts";
import { parseDump, type WireguardInterface } from "./parse-dump.ts";

type Interfaces = ReadonlyMap<string, WireguardInterface>;
/** Reads one interface; the result is empty if it does not exist. */
type ReadOne = (name: string) => Promise<Interfaces>;

export interface WireguardReader {
  /**
   * Returns the state of those of the named interfaces that exist.
   *
   * @throws {ProcessError} if one of them cannot be read
   */
  readonly read: (names: Iterable<string>) => Promise<Interfaces>;
  /** Like `read`, for interfaces of other programs. Interfaces that cannot be read are left out. */
  readonly readForeign: (names: Iterable<string>) => Promise<Interfaces>;
  /** For the operator if an interface of another program hangs; null otherwise. */
  readonly finding: () => Finding | null;
}

/** To read a thousand interfaces takes a fraction of this. */
const timeoutMs = 3_000;
const retryAfterMs = 5 * 60_000;
/** How many interfaces are read at the same time. */
const batchSize = 8;

export function createWireguardReader(run: Run, clock: Pick<Clock, "now">): WireguardReader {
  /** When reading all interfaces hung; null if it did not. */
  let hungAt: number | null = null;
  const correctTimes = createHandshakeTimes();
  const addWaits = createHandshakeWaits(clock);

  async function readSeparately(names: ReadonlySet<string>, readOne: ReadOne): Promise<Interfaces> {
    const remaining = [...names];
    const found: Array<readonly [string, WireguardInterface]> = [];
    while (remaining.length > 0) {
      const batch = await Promise.all(remaining.splice(0, batchSize).map(readOne));
      for (const interfaces of batch) found.push(...interfaces);
    }
    return new Map(found);
  }

  const dump = (name: string) => run("wg", ["show", name, "dump"], { timeoutMs });

  async function readInterface(name: string): Promise<Interfaces> {
    const { code, stdout, stderr } = await dump(name);
    // Without the name that begins each line of all interfaces.
    if (code === 0) return parseDump(stdout.replaceAll(/^(?=.)/gm, `${name}\t`));
    // The second one is the response of a kernel without WireGuard.
    if (/No such device|Protocol not supported/.test(stderr)) return new Map();
    throw new ProcessError(stderr.trim());
  }

  const readForeign: ReadOne = (name) => readInterface(name).catch(withoutProcessError);

  async function read(names: Iterable<string>, readOne: ReadOne): Promise<Interfaces> {
    const wanted = new Set(names);
    const now = clock.now();
    if (hungAt !== null && now - hungAt < retryAfterMs) return readSeparately(wanted, readOne);
    const all = await dump("all").catch(hungProcess);
    if (all?.code === 0) {
      hungAt = null;
      const parsed = [...parseDump(all.stdout)].filter(([name]) => wanted.has(name));
      // `wg` leaves out an interface that it cannot read, which is not one that does not exist.
      const unread = [...wanted].filter((name) => all.stderr.includes(` ${name}: `));
      return new Map([...parsed, ...(await readSeparately(new Set(unread), readOne))]);
    }
    const found = await readSeparately(wanted, readOne);
    hungAt = all === null ? now : null;
    return found;
  }

  return {
    read: async (names) => addWaits(correctTimes(await read(names, readInterface))),
    readForeign: async (names) => correctTimes(await read(names, readForeign)),
    finding: () => (hungAt === null ? null : { code: "wireguard-hangs", facts: {} }),
  };
}

function withoutProcessError(error: unknown): Interfaces {
  if (error instanceof ProcessError) return new Map();
  throw error;
}

/** Returns null for a process that was killed because it took too long. */
function hungProcess(error: unknown): ProcessResult | null {
  // An error with a cause: it could not be started.
  if (error instanceof ProcessError && error.cause === undefined) return null;
  throw error;
}
