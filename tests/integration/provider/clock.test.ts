/** Servers whose system clock is wrong: no login session ends, and no history is deleted. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { waitFor } from "../../support/wait-for.ts";
import { caller, logIn } from "../server/participant.ts";
import type { Program } from "./program.ts";
import { register, requestToken } from "./mailed-link.ts";
import { type Provider, type RunningProgram, setUpProvider } from "./provider.ts";

const asn = "4242420001";
const password = "a sentence for the tests";
const dayMs = 86_400_000;
const jumps = [
  ["one day", dayMs],
  ["40 days", 40 * dayMs],
  ["two years", 730 * dayMs],
] as const;

let provider: Provider;
let agent: Program;
let server: RunningProgram;
let cookie: string;
let settings: Readonly<Record<string, string>>;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  provider = parts.use(await setUpProvider(["syd01"]));
  agent = await provider.startAgent("syd01");
  settings = {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, "shifted-date.ts")}`,
    DATE_OFFSET_FILE: join(provider.serverDir, "offset"),
  };
  await shiftDate(0);
  server = await provider.startServer(settings);
  await register(provider.mail, server.url, { asn, password });
  cookie = (await logIn(server.url, asn, password)).cookie;
  // As old as the retention allows.
  const old = Date.now() - dayMs / 24;
  await restart(() => {
    run(`INSERT INTO node_samples (node, at, state) VALUES ('syd01', ${old}, 'OK')`);
    const quarter = old - (23 * dayMs) / 24;
    run(
      "INSERT INTO node_quarters (node, quarter, ok, issues, down, cpu_sum, cpu_count, last_at, last_state) " +
        `VALUES ('syd01', ${quarter}, 1, 0, 0, 0, 0, ${quarter}, 'OK')`,
    );
    run(
      `INSERT INTO node_days (node, day, ok, issues, down) VALUES ('syd01', ${startOfDay(old - 88 * dayMs)}, 1, 0, 0)`,
    );
    run(
      `INSERT INTO traffic_samples (node, asn, at, received, sent) VALUES ('syd01', '${asn}', ${old}, 1, 1)`,
    );
  });
});
afterAll(() => parts.disposeAsync());

beforeEach(() => shiftDate(0));

const startOfDay = (at: number) => at - (at % dayMs);
const shiftDate = (offset: number) => writeFile(join(provider.serverDir, "offset"), String(offset));

async function restart(prepare: () => void | Promise<void>): Promise<void> {
  await server.program.end("SIGTERM");
  await prepare();
  server = await provider.startServer(settings);
}

function run(statement: string): void {
  using database = new DatabaseSync(join(provider.serverDir, "peerdeck.sqlite"));
  database.exec(statement);
}

function count(table: string): number {
  using database = new DatabaseSync(join(provider.serverDir, "peerdeck.sqlite"), { readOnly: true });
  return Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
}

const isLoggedIn = async () =>
  (await caller(server.url, cookie)(calls.authStatus, undefined)).isAuthenticated;
const readHealth = async () => (await fetch(`${server.url}/healthz`)).text();

test.each(jumps)("a jump of %s under a running server ends nothing", async (_name, jump) => {
  const token = await requestToken(provider.mail, server.url, { asn, password_reset: "Yes" });
  await shiftDate(jump);
  expect(await isLoggedIn()).toBe(true);
  await expect(caller(server.url)(calls.setPassword, { token, password: "password" })).rejects.toMatchObject({
    status: 422,
  });
  expect(await readHealth()).toContain("The clock of the server's host is ");
  await shiftDate(0);
  expect(await isLoggedIn()).toBe(true);
  expect(await readHealth()).toBe("ok\n");
});

test.each(jumps)(
  "a server that starts with a clock %s ahead ends and deletes nothing",
  async (_name, jump) => {
    const tables = ["node_samples", "node_quarters", "node_days", "traffic_samples", "login_sessions"];
    const before = tables.map(count);
    await restart(async () => {
      await shiftDate(jump);
      // The server skips an observation that is as recent as this one.
      run(`UPDATE node_samples SET at = at - 600000 WHERE at > ${Date.now() - 600_000}`);
    });
    expect(await isLoggedIn()).toBe(true);
    // The server observes, and deletes what is too old, right after its start.
    await waitFor(() => expect(count("node_samples")).toBeGreaterThan(before[0] ?? 0));
    await restart(() => shiftDate(0));
    expect(await isLoggedIn()).toBe(true);
    for (const [index, table] of tables.entries())
      expect([table, count(table)]).toEqual([
        table,
        expect.toSatisfy((n: number) => n >= (before[index] ?? 0)),
      ]);
  },
);

test("a server that was stopped for long follows the clock that its nodes have, and login sessions end", async () => {
  await restart(() => run(`UPDATE server_time SET at = at - ${40 * dayMs}`));
  expect(await readHealth()).toBe("ok\n");
  expect(await isLoggedIn()).toBe(true);
  await restart(() => {
    run(`UPDATE server_time SET at = at - ${40 * dayMs}`);
    run(`UPDATE login_sessions SET expires_at = expires_at - ${40 * dayMs}`);
  });
  expect(await isLoggedIn()).toBe(false);
});

test("without a node, the clock is followed when the operator confirms it", async () => {
  cookie = (await logIn(server.url, asn, password)).cookie;
  await agent.end("SIGTERM");
  await restart(() => shiftDate(40 * dayMs));
  expect(await readHealth()).toContain("is 40 days ahead of the time that the server knows.");
  const shown = await provider.runCommand(["confirm-clock"], settings);
  expect(shown.output).toContain("Nothing was changed. If the clock of this host is right");
  expect(await provider.runCommand(["confirm-clock", "--apply"], settings)).toMatchObject({ code: 0 });
  // The server's time is not yet that of the host.
  const audit = await provider.runCommand(["audit", "--since", "1h"], settings);
  expect(audit.output).toMatch(
    /The operator confirmed the clock of the server's host\. The server last knew \S+\. {2}\(kind=clock-confirmed\)/,
  );
  await restart(() => undefined);
  await waitFor(async () =>
    expect(await readHealth()).toBe(
      "issues\nsyd01.example.net cannot be reached: the connection was refused, the agent may be off.\n",
    ),
  );
  expect(await isLoggedIn()).toBe(false);
});
