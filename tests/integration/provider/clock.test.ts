/** Servers whose system clock is wrong: they serve, nothing is deleted, and everything is back when the clock is right. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { calls } from "#contract/calls.ts";
import { waitFor } from "../../support/wait-for.ts";
import { caller, deployPeering, logIn } from "../server/participant.ts";
import { signUpByMail } from "./mailed-link.ts";
import { type Provider, type Server, setUpProvider } from "./provider.ts";

const asn = "4242420001";
const dayMs = 86_400_000;
const jumps = [
  ["two years ahead", 730 * dayMs],
  ["40 days behind", -40 * dayMs],
] as const;
const tables = [
  "node_samples",
  "node_quarters",
  "node_days",
  "node_summaries",
  "current_half_hours",
  "past_half_hours",
  "session_states",
  "login_sessions",
  "audit_events",
  "audit_addresses",
  "tasks",
  "outbox",
  "account_deletions",
] as const;

let provider: Provider;
let server: Server;
let cookie: string;
/** By how many milliseconds the system clock of the server is ahead. */
let clockOffset = 0;
const realNow = Date.now.bind(Date);
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() + clockOffset);
  parts.defer(() => clock.mockRestore());
  provider = parts.use(await setUpProvider(["syd01"]));
  // Its clock is right.
  await provider.startAgentProcess("syd01");
  server = await provider.startServer();
  cookie = (await signUpByMail(provider.mail, server.url, asn)).cookie;
  await submit("4001");
  await restart(() => {
    // As old as the retention allows.
    const old = Date.now() - dayMs / 24;
    const halfHour = old - (old % 1_800_000) - 22 * 3_600_000;
    const deleted = old - 29 * dayMs;
    run(`
      INSERT INTO node_samples (node, at, state) VALUES ('syd01', ${old}, 'OK');
      INSERT INTO past_half_hours (asn, node, newest, half_hours, traffic)
        VALUES ('${asn}', 'syd01', ${halfHour}, '[[${halfHour},30,0,1,2,0,3]]', '${old} 1 1' || char(10));
      INSERT INTO account_deletions (id, asn, started_at, ended_at, state)
        VALUES ('past', '4242420002', ${deleted}, ${deleted}, 'cancelled')`);
  });
});
afterAll(() => parts.disposeAsync());

async function restart(prepare: () => void): Promise<void> {
  await server.stop();
  prepare();
  server = await provider.startServer();
}

function run(statement: string): void {
  using database = new DatabaseSync(join(provider.serverDir, "peerdeck.sqlite"));
  database.exec(statement);
}

function read(query: string): readonly Record<string, unknown>[] {
  using database = new DatabaseSync(join(provider.serverDir, "peerdeck.sqlite"), { readOnly: true });
  return database.prepare(query).all();
}

/** SQLite gives a new row the rowid of a deleted one. */
const readKeys = (from: string) =>
  read(`SELECT rowid, * FROM ${from}`).map((row) => row["id"] ?? row["hash"] ?? row["event"] ?? row["rowid"]);
const halfHours = () => JSON.stringify(read("SELECT half_hours FROM past_half_hours"));
const isLoggedIn = async () =>
  (await caller(server.url, cookie)(calls.authStatus, undefined)).isAuthenticated;
const readHealth = async () => (await fetch(`${server.url}/healthz`)).text();

/** Logs in, which deletes expired login sessions, and changes the peering, which deletes expired tasks. */
async function submit(remotePort: string): Promise<void> {
  await deployPeering(await logIn(server.url, asn), "syd01", { remote_port: remotePort });
}

test.each(jumps)("a server whose clock is %s serves and deletes nothing", async (name, jump) => {
  clockOffset = jump;
  const change = jump > 0 ? "went \\d+ \\w+ forward" : "went back \\d+ \\w+";
  expect(await readHealth()).toMatch(new RegExp(`The clock of the server's host ${change}`));
  await logIn(server.url, asn);
  clockOffset = 0;
  expect(await isLoggedIn()).toBe(true);

  const before = tables.map(readKeys);
  const [past = ""] = /\[\d[^\]]*\]/.exec(halfHours()) ?? [];
  await restart(() => {
    clockOffset = jump;
    // The server skips an observation that is as recent as this one.
    run(`UPDATE node_samples SET at = at - 600000 WHERE at > ${realNow() - 600_000}`);
  });
  expect(await readHealth()).toContain("Nothing is deleted for its age until ");
  // The server observes, and runs every retention job, right after its start.
  const recent = `node_samples WHERE abs(at - ${Date.now()}) < 300000`;
  await waitFor(() => expect(readKeys(recent).length).toBeGreaterThan(0));
  await submit(String(4100 + jumps.findIndex(([each]) => each === name)));
  await restart(() => {
    clockOffset = 0;
  });
  await submit(String(4200 + jumps.findIndex(([each]) => each === name)));
  const left = tables.map((table) => new Set(readKeys(table)));
  const hasLost = (index: number) => before[index]?.some((key) => left[index]?.has(key) !== true);
  expect(tables.filter((_table, index) => hasLost(index))).toEqual([]);
  expect(halfHours()).toContain(past);
  expect(await isLoggedIn()).toBe(true);
});
