import { beforeEach, describe, expect, test, vi } from "vitest";
import { createReloadGuard, type ReloadGuard } from "./reload-guard.ts";
import { createUpdates, type Updates } from "./updates.ts";

let guard: ReloadGuard;
let updates: Updates;
const reload = vi.fn<() => void>();

beforeEach(() => {
  reload.mockClear();
  guard = createReloadGuard();
  updates = createUpdates(guard, reload);
});

function waitingWorker(): ServiceWorker {
  return { state: "installed" } as ServiceWorker;
}

describe("a new version", () => {
  test("is offered when it waits, and not again when it was postponed", () => {
    const [worker, next] = [waitingWorker(), waitingWorker()];
    expect(updates.isOffered()).toBe(false);
    updates.reportWaiting(worker);
    expect(updates.isOffered()).toBe(true);
    updates.postpone();
    updates.reportWaiting(worker);
    expect(updates.isOffered()).toBe(false);
    updates.reportWaiting(next);
    expect(updates.isOffered()).toBe(true);
  });

  test("is not offered while a form or a deployment guards the page", () => {
    const onChange = vi.fn<() => void>();
    const unsubscribe = updates.subscribe(onChange);
    updates.reportWaiting(waitingWorker());
    const [endForm, endDeployment] = [guard.begin("form"), guard.begin("deployment")];
    expect(updates.isOffered()).toBe(false);
    endForm();
    expect(updates.isOffered()).toBe(false);
    endDeployment();
    expect(updates.isOffered()).toBe(true);
    expect(onChange).toHaveBeenCalledTimes(5);
    unsubscribe();
    updates.postpone();
    expect(onChange).toHaveBeenCalledTimes(5);
  });
});

describe("a version that has taken over the page", () => {
  test("reloads it", () => {
    updates.reportReplaced();
    expect(reload).toHaveBeenCalledOnce();
  });

  test("is offered afterwards to a guarded page, which it does not reload", async () => {
    const endForm = guard.begin("form");
    updates.reportReplaced();
    expect(reload).not.toHaveBeenCalled();
    expect(updates.isOffered()).toBe(false);
    endForm();
    expect(updates.isOffered()).toBe(true);
    await updates.accept();
    expect(reload).toHaveBeenCalledOnce();
  });
});
