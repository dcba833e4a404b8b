/**
 * The order in which waiting mails get the places of a server. Clients that request many mails delay those of others by
 * one turn each, however many wait.
 *
 * Invariants:
 * - A party is a path: the network, the client within it, the AS. On each level the party whose last turn is the longest
 *   ago is next, so all have equal shares while they have mails. Of equal ones, the party with the oldest mail is next.
 * - The mails of a party keep their order.
 * - Turns are in memory. Each server gives out its own places, so several are as fair as one. After a restart no party has
 *   had a turn.
 */
export interface WaitingMail {
  readonly id: string;
  /** From the outermost party to the innermost. */
  readonly party: readonly string[];
}

export interface Turns {
  /** Returns the mails that are next, at most `limit`. `waiting` is in the order of age. Counts no turn. */
  order(waiting: readonly WaitingMail[], limit: number): readonly WaitingMail[];
  /** Counts a turn of a party. */
  take(party: readonly string[]): void;
}

interface Party {
  readonly children: Map<string, Party>;
  readonly mails: WaitingMail[];
  lastTurn: number;
}

/** More than the mails of an hour can have. The parties beyond it with the oldest turns are forgotten. */
const maxParties = 10_000;

export function createTurns(): Turns {
  /** The last turn of each party by its path, the oldest first. */
  const lastTurns = new Map<string, number>();
  let turn = 0;

  const createParty = (path: readonly string[]): Party => ({
    children: new Map(),
    mails: [],
    lastTurn: lastTurns.get(path.join(" ")) ?? 0,
  });

  function buildTree(waiting: readonly WaitingMail[]): Party {
    const root = createParty([]);
    for (const mail of waiting) {
      let party = root;
      for (const [index, name] of mail.party.entries()) {
        const child = party.children.get(name) ?? createParty(mail.party.slice(0, index + 1));
        party.children.set(name, child);
        party = child;
      }
      party.mails.push(mail);
    }
    return root;
  }

  return {
    order(waiting, limit) {
      const root = buildTree(waiting);
      const next: WaitingMail[] = [];
      while (next.length < limit) {
        const mail = removeNext(root, turn + next.length + 1);
        if (!mail) break;
        next.push(mail);
      }
      return next;
    },
    take(party) {
      turn += 1;
      for (const length of party.keys()) {
        const path = party.slice(0, length + 1).join(" ");
        lastTurns.delete(path);
        lastTurns.set(path, turn);
      }
      for (const path of lastTurns.keys()) {
        if (lastTurns.size <= maxParties) break;
        lastTurns.delete(path);
      }
    },
  };
}

/** Removes the next mail of a party as if this were its turn. */
function removeNext(party: Party, turn: number): WaitingMail | undefined {
  party.lastTurn = turn;
  let name: string | undefined;
  let next: Party | undefined;
  for (const [childName, child] of party.children) {
    if (!next || child.lastTurn < next.lastTurn) [name, next] = [childName, child];
  }
  if (!next || name === undefined) return party.mails.shift();
  const mail = removeNext(next, turn);
  if (next.children.size === 0 && next.mails.length === 0) party.children.delete(name);
  return mail;
}
