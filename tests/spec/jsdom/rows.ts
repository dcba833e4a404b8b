import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { participant } from "#mocks/state.ts";
import { type AppTab, createAppTab } from "../../support/app-tab.tsx";
import { type Backend, createScriptedBackend } from "../../support/scripted-backend.ts";
import { useIndexedDb } from "../../support/indexed-db.ts";
import { nameRows, type IdOf, type Rows } from "../table/row.ts";

export interface RowVisit {
  readonly app: AppTab;
  readonly backend: Backend;
  /** The failed calls that the app has logged so far: the text of each log line. */
  readonly loggedFailures: readonly string[];
}

export type RowTest = (visit: RowVisit) => Promise<void>;

/**
 * Defines a test in jsdom for each row of a table. Each test has its own backend, and starts with empty storage. A row
 * without a test does not compile.
 */
export function testRows<Table extends Rows>(
  table: Table,
  tests: Readonly<Record<IdOf<Table>, RowTest>>,
  isLoggedIn = true,
): void {
  useIndexedDb();
  let recorded: ConsoleRecord = { errors: [], loggedFailures: [] };
  beforeEach(() => {
    recorded = recordConsole();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    localStorage.clear();
    sessionStorage.clear();
  });

  test.each(nameRows(table))("%s", async (_, id) => {
    expect.hasAssertions();
    const backend = createScriptedBackend();
    if (isLoggedIn) backend.state.loggedInAs = participant.asn;
    vi.stubGlobal("fetch", backend.fetch);
    const app = createAppTab();
    onTestFinished(() => {
      app.close();
      backend.close();
    });
    await tests[id]({ app, backend, loggedFailures: recorded.loggedFailures });
    app.close();
    expect(recorded.errors).toEqual([]);
  });
}

/** As `testRows`, with no AS logged in at first. */
export const testVisitorRows: typeof testRows = (table, tests) => testRows(table, tests, false);

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
