/** Calls beyond the specification that the server does not have: it responded with 404. They are not sent again soon. */
import { getValue, transact } from "./database.ts";
import { withTimeout } from "./timeout.ts";

/** A server may be upgraded, so the call is tried again after this long. */
const unsupportedCallMs = 5 * 60_000;

/** Storage that hangs must not hold back a request. On a busy device, a read that works takes almost as long. */
const readTimeoutMs = 2_000;

const keyOf = (path: string) => ["public", "unsupported", path];

export async function recordUnsupportedCall(path: string): Promise<void> {
  await transact("readwrite", undefined, (store) => void store.put(Date.now(), keyOf(path)));
}

/** Whether the server has lately responded to the path with 404. False where storage is not available. */
export async function isCallUnsupported(path: string, maxAgeMs = unsupportedCallMs): Promise<boolean> {
  const get = transact("readonly", undefined, (store) => getValue<number>(store, keyOf(path)));
  const recordedAt = await withTimeout(get, readTimeoutMs, undefined);
  return recordedAt !== undefined && isRecent(recordedAt, maxAgeMs);
}

/** A tab that the browser has frozen may hold the lock for ever. */
const lockTimeoutMs = 3_000;

/**
 * Sends a request alone among all tabs and the worker. Others to the path wait, and know then whether the server has it.
 * Browsers without locks send it at once.
 */
export async function sendAlone<T>(path: string, send: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (locks === undefined) return send();
  const signal = AbortSignal.timeout(lockTimeoutMs);
  let isGranted = false;
  try {
    return await locks.request(`peerdeck-optional:${path}`, { signal }, () => {
      isGranted = true;
      return send();
    });
  } catch (error) {
    if (isGranted) throw error;
    return send();
  }
}

/** @param recordedAt milliseconds since 1970. One in the future is from before the device's clock was set back. */
export function isRecent(recordedAt: number, maxAgeMs = unsupportedCallMs): boolean {
  const age = Date.now() - recordedAt;
  return age >= 0 && age < maxAgeMs;
}
