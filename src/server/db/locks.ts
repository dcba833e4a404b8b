/** Mutual exclusion between all servers that use the same database. */
export interface Locks {
  /**
   * Runs the work while it holds the lock. Returns false without running it if another holder has the lock. A process
   * that dies loses its locks at once; if its host disappears from the network, after half a minute.
   */
  tryExclusive(name: string, work: () => Promise<void>): Promise<boolean>;
}

/** Creates locks within one process, for a database that only one process uses. */
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
