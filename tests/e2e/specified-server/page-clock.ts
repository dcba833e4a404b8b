/** The clock of a page, which a test moves forward, and the work that must be over before. */
import type { Page } from "playwright";
import { expect } from "vitest";

export interface PageClock {
  /** How far the page's clock is ahead, in milliseconds. */
  readonly aheadMs: () => number;
  /** Waits until nothing is in progress, and moves the clock forward: timers fire at most once. */
  readonly advance: (ms: number) => Promise<void>;
  /** Waits until no request and no transaction of the database is in progress. */
  readonly settle: () => Promise<void>;
}

/**
 * Takes over the clock of a page, before its first document. The clock goes on by itself as well. A request that is in
 * progress while the clock moves would run into the app's time limit, so every move waits for the end of all.
 */
export async function takeOverClock(page: Page): Promise<PageClock> {
  let aheadMs = 0;
  await page.clock.install();
  await page.addInitScript(countWork);
  // Between two readings the page runs tasks, in which the end of one piece of work may begin another.
  const readTwice = async () => (await page.evaluate(readWork)) + (await page.evaluate(readWork));
  const settle = async () => {
    await expect.poll(readTwice).toBe(0);
  };
  return {
    aheadMs: () => aheadMs,
    settle,
    advance: async (ms) => {
      await settle();
      aheadMs += ms;
      await page.clock.fastForward(ms);
      await settle();
    },
  };
}

/**
 * Runs in the page: counts requests until their body has been read, event streams until they are open or rejected, and
 * transactions until they are complete.
 */
function countWork(): void {
  const work = { count: 0 };
  Reflect.set(globalThis, "workInProgress", work);
  const end = () => {
    work.count -= 1;
  };
  const send = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    work.count += 1;
    try {
      const response = await send(...request);
      await response.clone().arrayBuffer();
      return response;
    } finally {
      end();
    }
  };
  globalThis.EventSource = class extends EventSource {
    constructor(...given: ConstructorParameters<typeof EventSource>) {
      super(...given);
      work.count += 1;
      for (const event of ["open", "error"]) this.addEventListener(event, () => this.endOnce());
    }
    override close() {
      super.close();
      this.endOnce();
    }
    private endOnce = () => {
      this.endOnce = () => undefined;
      end();
    };
  };
  const transact = Reflect.get(IDBDatabase.prototype, "transaction");
  IDBDatabase.prototype.transaction = function countTransaction(...given) {
    const transaction = transact.apply(this, given);
    work.count += 1;
    for (const event of ["complete", "abort"]) transaction.addEventListener(event, end);
    return transaction;
  };
}

/** Runs in the page. */
function readWork(): number {
  return (Reflect.get(globalThis, "workInProgress") as { readonly count: number }).count;
}
