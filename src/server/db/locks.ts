/** Mutual exclusion between everybody who uses the same database. */
export interface Locks {
  /**
   * Runs the work while nobody else holds the name; answers false, without running it, when somebody does.
   * A holder that dies loses its lock at once; one whose host goes without a word, half a minute later.
   */
  tryExclusive(name: string, work: () => Promise<void>): Promise<boolean>;
}

/** Locks within one process, for a database that only one process uses. */
export function createLocalLocks(): Locks {
  const held = new Set<string>();
  return {
    tryExclusive: async (name, work) => {
      if (held.has(name)) return false;
      held.add(name);
      try {
        await work();
        return true;
      } finally {
        held.delete(name);
      }
    },
  };
}
