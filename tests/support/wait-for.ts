import { vi } from "vitest";

/** Repeats a check until it passes. Vitest's default limit of one second is too short for a busy machine. */
export function waitFor<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 20_000, interval: 10 });
}
