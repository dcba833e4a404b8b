import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { anySignal, settleWithin, withTimeout } from "./timeout.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<never>(() => {});

function after<T>(delayMs: number, value: T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(value), delayMs);
  });
}

describe("withTimeout", () => {
  test("settles like the promise, and leaves no timer behind", async () => {
    expect(await withTimeout(Promise.resolve("result"), 1_000, "fallback")).toBe("result");
    await expect(withTimeout(Promise.reject(new Error("failed")), 1_000, "fallback")).rejects.toThrow(
      "failed",
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  test("resolves to the fallback when the time is over", async () => {
    const result = withTimeout(after(1_001, "late"), 1_000, "fallback");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await result).toBe("fallback");
  });
});

describe("settleWithin", () => {
  test("settles when all promises have, also if they failed", async () => {
    const onSettled = vi.fn<() => void>();
    void settleWithin(1_000, after(200, "result"), Promise.reject(new Error("failed"))).then(onSettled);
    await vi.advanceTimersByTimeAsync(199);
    expect(onSettled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onSettled).toHaveBeenCalledOnce();
  });

  test("settles when the time is over", async () => {
    const settled = settleWithin(1_000, never);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await settled).toBeUndefined();
  });
});

describe("anySignal", () => {
  test("aborts with the reason of the first signal", () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const signal = anySignal(first.signal, second.signal);
    expect(signal.aborted).toBe(false);
    second.abort("second");
    first.abort("first");
    expect(signal.reason).toBe("second");
  });

  test("is aborted if one of the signals is", () => {
    const signal = anySignal(new AbortController().signal, AbortSignal.abort("before"));
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBe("before");
  });
});
