/**
 * Reads that many people want at once, made once.
 *
 * Invariant: at most one read of a key is under way, and its answer serves everybody who asks within
 * `freshMs` of its start. A failed read is shared in the same way, so that a dead node is not asked by each.
 */
export function createSharedReads<T>(
  read: (key: string) => Promise<T>,
  freshMs: number,
): (key: string) => Promise<T> {
  const recent = new Map<string, { readonly startedAt: number; readonly answer: Promise<T> }>();
  const underWay = new Set<string>();
  return (key) => {
    const known = recent.get(key);
    if (known && (underWay.has(key) || performance.now() - known.startedAt < freshMs)) return known.answer;
    underWay.add(key);
    const answer = read(key).finally(() => underWay.delete(key));
    recent.set(key, { startedAt: performance.now(), answer });
    return answer;
  };
}
