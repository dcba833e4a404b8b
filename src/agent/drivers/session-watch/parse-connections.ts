/** Parses the BGP connections that `ss -Htin` prints: a line for each, and a line that begins with a tab about its TCP. */
import { formatAddress, parseAddress } from "#domain/prefix.ts";

export interface Connection {
  /** Both addresses and ports: another connection between the same addresses has another identity. */
  readonly identity: string;
  /** Octets that the other end has not confirmed, sent or not. */
  readonly queuedBytes: number;
  /** Octets that the other end has confirmed; null if the kernel does not say. */
  readonly confirmedBytes: number | null;
  /** How long ago data arrived in order; null if the kernel does not say. */
  readonly receivedAgoMs: number | null;
}

/** Returns the established connections by the key of their neighbour. */
export function parseConnections(output: string): ReadonlyMap<string, Connection> {
  const found = new Map<string, Connection>();
  let current: { readonly key: string; readonly connection: Connection } | null = null;
  for (const line of output.split("\n")) {
    if (line.startsWith("\t")) {
      if (current !== null) found.set(current.key, withTcp(current.connection, line));
      continue;
    }
    current = parseLine(line);
    if (current !== null) found.set(current.key, current.connection);
  }
  return found;
}

/** A link-local address belongs to one interface, and several neighbours may have it. */
export function neighbourKey(address: string, interfaceName: string): string {
  const parsed = parseAddress(address);
  const canonical = parsed ? formatAddress(parsed) : address;
  return /^fe[89ab]/.test(canonical) ? `${canonical}%${interfaceName}` : canonical;
}

function parseLine(line: string): { readonly key: string; readonly connection: Connection } | null {
  const [state, , queued, own, far] = line.split(/\s+/);
  if (state !== "ESTAB" || own === undefined || far === undefined) return null;
  const queuedBytes = Number(queued);
  // ss prints the interface with the node's own address, and with the other one only in some versions.
  const zone = /%([^\]:%]+)/.exec(own)?.[1] ?? "";
  const address = /^\[?([^\]%]+?)\]?(?:%[^\]:]+)?\]?:\d+$/.exec(far)?.[1];
  if (!Number.isSafeInteger(queuedBytes) || address === undefined) return null;
  const connection = { identity: `${own} ${far}`, queuedBytes, confirmedBytes: null, receivedAgoMs: null };
  return { key: neighbourKey(address, zone), connection };
}

/** ss leaves out what is zero. A line without a round trip is of a connection whose TCP the kernel does not describe. */
function withTcp(connection: Connection, line: string): Connection {
  if (!line.includes(" rtt:")) return connection;
  return {
    ...connection,
    confirmedBytes: Number(/ bytes_acked:([0-9]+)/.exec(line)?.[1] ?? 0),
    receivedAgoMs: Number(/ lastrcv:([0-9]+)/.exec(line)?.[1] ?? 0),
  };
}
