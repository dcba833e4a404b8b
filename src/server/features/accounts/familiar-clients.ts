/** From where an AS has signed in before, so that strangers who guess its password do not keep it out. */
export interface FamiliarClients {
  remember(asn: string, client: string): void;
  knows(asn: string, client: string): boolean;
}

const most = 10_000;

/** Kept in memory: what is forgotten makes its owner a stranger again, and nothing worse. */
export function createFamiliarClients(): FamiliarClients {
  const known = new Set<string>();
  return {
    remember(asn, client) {
      const pair = `${asn} ${client}`;
      // Moves it to the end: the set forgets in the order of insertion.
      known.delete(pair);
      known.add(pair);
      const [oldest] = known;
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
    knows: (asn, client) => known.has(`${asn} ${client}`),
  };
}
