import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { participant } from "#mocks/state.ts";
import { type AppTab, createAppTab } from "../../support/app-tab.tsx";
import { type Backend, createScriptedBackend, type ScriptedBackend } from "../../support/scripted-backend.ts";
import { type Row, rowName } from "../table/row.ts";

export interface RowVisit {
  readonly app: AppTab;
  readonly backend: Backend;
  /** The failed calls that the app has logged so far: the text of each log line. */
  readonly loggedFailures: readonly string[];
}

export type RowTest = (visit: RowVisit) => Promise<void>;

export interface RowOptions {
  /** Whether the participant is logged in. */
  readonly isLoggedIn?: boolean;
}

/**
 * Defines a test in jsdom for each row of a table. Each test has its own backend, and starts with empty storage. A row
 * without a test does not compile.
 */
export function testRows<const Table extends readonly Row[]>(
  table: Table,
  tests: Readonly<Record<Table[number]["id"], RowTest>>,
  { isLoggedIn = false }: RowOptions = {},
): void {
  let recorded: ConsoleRecord = { errors: [], loggedFailures: [] };
  beforeEach(() => {
    recorded = recordConsole();
  });
  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    await clearStorage();
  });

  const named = table.map((row) => [rowName(row), row.id] as const);
  test.each(named)("%s", async (_, id: Table[number]["id"]) => {
    expect.hasAssertions();
    const withoutCredentials: string[] = [];
    const backend = createScriptedBackend(() => withoutCredentials);
    if (isLoggedIn) backend.state.loggedInAs = participant.asn;
    vi.stubGlobal("fetch", createFetch(backend, withoutCredentials));
    const app = createAppTab();
    onTestFinished(app.close);
    await tests[id]({ app, backend, loggedFailures: recorded.loggedFailures });
    app.close();
    expect(recorded.errors).toEqual([]);
  });
}

/** A `fetch` whose requests of the app's own origin reach the backend if they carry the cookies of this origin. */
function createFetch(backend: ScriptedBackend, withoutCredentials: string[]): typeof fetch {
  return async (input, init) => {
    const signal = init?.signal ?? undefined;
    signal?.throwIfAborted();
    const url = new URL(input instanceof Request ? input.url : input, window.location.href);
    // Node's request accepts Node's signals only.
    const request = new Request(url, { ...init, signal: null });
    if (url.origin !== window.location.origin || request.credentials === "omit") {
      withoutCredentials.push(url.pathname);
      return new Response("{}", { status: 401 });
    }
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    const response = await Promise.race([backend.receive(request), aborted]);
    if (response === undefined || response.type === "error") throw new TypeError("Failed to fetch");
    return response;
  };
}

/** Warnings of development builds that the built app does not contain. */
const developmentWarnings = [
  // Emotion, about rendering on a server.
  "The pseudo class ",
  // React, when the router's lazy component has loaded between two renders.
  "Error: This library called use() to suspend in a previous render",
];

interface ConsoleRecord {
  /** Errors and warnings, except those of failed calls. */
  readonly errors: string[];
  /** Calls that a row makes fail, as the app logs them. */
  readonly loggedFailures: string[];
}

/** Records what the app writes to the console from now on. */
function recordConsole(): ConsoleRecord {
  const recorded: ConsoleRecord = { errors: [], loggedFailures: [] };
  const record = (...values: readonly unknown[]) => {
    const line = values.map(String).join(" ");
    if (line.startsWith("Call failed: ")) recorded.loggedFailures.push(line);
    else if (!developmentWarnings.some((warning) => line.startsWith(warning))) recorded.errors.push(line);
  };
  vi.spyOn(console, "error").mockImplementation(record);
  vi.spyOn(console, "warn").mockImplementation(record);
  return recorded;
}

/** Removes what the app has stored. The stores stay, because the app keeps its connection to the database. */
async function clearStorage(): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name = "" } of await indexedDB.databases()) {
    const database = await settled(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      await settled(database.transaction(store, "readwrite").objectStore(store).clear());
    database.close();
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("the request failed")));
  });
}
