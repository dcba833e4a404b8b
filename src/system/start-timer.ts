/** Calls the callback after a time, unless the returned function is called before. */
export function startTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
