import type { BirdReply } from "./control-socket.ts";
import { parseHeading } from "./parse-session.ts";

export interface Neighbour {
  /** The name of the session. */
  readonly name: string;
  readonly address: string;
  /** The interface of the session; null if the routing table decides. */
  readonly interfaceName: string | null;
}

/** Parses the neighbours of the enabled BGP sessions in the reply to `show protocols all`. */
export function parseNeighbours({ lines }: BirdReply): readonly Neighbour[] {
  const found: Neighbour[] = [];
  let name: string | null = null;
  for (const line of lines) {
    const { text } = line;
    if (!text.startsWith(" ")) {
      const heading = parseHeading(line);
      name = heading && heading.state !== "down" ? heading.name : null;
    }
    const [, address, zone] = /^\s+Neighbor address:\s+([^\s%]+)(?:%(\S+))?$/.exec(text) ?? [];
    if (name !== null && address !== undefined) found.push({ name, address, interfaceName: zone ?? null });
  }
  return found;
}
