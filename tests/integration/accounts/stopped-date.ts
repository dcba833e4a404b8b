/** The date that rate limits read. Timers run on, since requests need them. */
import { onTestFinished, vi } from "vitest";

/** Stops the date until the end of the test. */
export function stopDate(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

export function passDate(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}
