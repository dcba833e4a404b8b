const soonMs = 300;

/** Resolves with a reading of nodes; with `last` if they do not respond soon. */
export function resolveSoon<T>(reading: Promise<T>, last: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(last()), soonMs);
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
