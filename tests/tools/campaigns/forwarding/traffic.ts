/** What users of the network notice: whether packets between its parts arrive. */
import type { Family } from "#domain/peering/bgp-sessions.ts";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { networkAddresses, otherAddresses } from "./plan.ts";
import type { ScenePart } from "./scene.ts";

const families: readonly Family[] = ["IPv4", "IPv6"];

export interface Traffic {
  readonly pairs: number;
  /** Pairs such as "1 to 2 IPv4" without a reply to two pings. */
  readonly lost: readonly string[];
}

interface Place {
  readonly name: string;
  readonly host: LabHost;
  readonly addresses: Readonly<Record<Family, string>>;
}

/** Pings from each participant's network to each other and to the other node. */
export async function readTraffic(other: LabHost, participants: readonly ScenePart[]): Promise<Traffic> {
  const networks = participants.map(({ number, network }): Place => ({
    name: String(number),
    host: network,
    addresses: networkAddresses(number),
  }));
  const targets = [...networks, { name: "the other node", host: other, addresses: otherAddresses }];
  const found = await Promise.all(
    networks.flatMap((from) => families.map((family) => findUnreached(from, targets, family))),
  );
  return {
    pairs: networks.length * families.length * (targets.length - 1),
    lost: found.flat(),
  };
}

async function findUnreached(
  from: Place,
  targets: readonly Place[],
  family: Family,
): Promise<readonly string[]> {
  const others = targets.filter(({ name }) => name !== from.name);
  const addresses = others.map(({ addresses: all }) => all[family]).join(" ");
  const reached = await from.host.run(
    "sh",
    "-c",
    `fping -a -q -r1 -t700 -i5 -S ${from.addresses[family]} ${addresses} 2>/dev/null || true`,
  );
  const alive = new Set(reached.trim().split("\n"));
  return others
    .filter(({ addresses: all }) => !alive.has(all[family]))
    .map(({ name }) => `${from.name} to ${name} ${family}`);
}
