/**
 * The migrations since the eighth, on a database of the version before that participants have used: every row stays as it
 * was, except for what the migration is there for.
 */
import { describe, expect, test } from "vitest";
import { createSecret, hashSecret } from "../../../src/server/api/secret-tokens.ts";
import { createFastPasswords } from "../../support/fast-passwords.ts";
import { goodPassword, logIn, serveAccounts } from "../accounts/account-server.ts";
import { createOlderDatabase, type OlderDatabase, type Rows } from "./older-database.ts";

const asn = "4242420001";
const other = "4242420002";
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The time of the server that starts after the migration. */
const now = Date.UTC(2026, 0, 20);

const tokens = { recent: createSecret(), old: createSecret(), capped: createSecret() };
const hashOf = (token: string) => hashSecret(token) ?? "";

/** A login session as it was until the tenth migration: it ended 30 days after the last visit. */
const loginSession = (token: string, loggedInDaysAgo: number, visitedDaysAgo: number) => ({
  hash: hashOf(token),
  asn,
  created_at: now - loggedInDaysAgo * dayMs,
  expires_at: now - visitedDaysAgo * dayMs + 30 * dayMs,
});

const identity = { interface: "dn42_4242420001" };
const request = JSON.stringify({ node: "syd01", address: "peer.example.org", port: 51_820 });

const account = { password_hash: "", verified_holder: "ADA-MNT", checked_at: now, flagged_at: null };

/** What the tables of the eighth version contain, in the order of their references. */
const before0009: Rows = {
  accounts: [
    { ...account, asn, created_at: now - 300 * dayMs, flagged_holder: null },
    { asn: other, password_hash: "$argon2id$other", created_at: now - 500 * dayMs, verified_holder: null },
  ],
  account_tokens: [
    { hash: "reset", asn, purpose: "reset", expires_at: now + hourMs, holder: "ADA-MNT" },
    { hash: "register", asn: "4242420003", purpose: "register", expires_at: now - dayMs, holder: null },
  ],
  sessions: [
    loginSession(tokens.recent, 10, 2),
    loginSession(tokens.old, 200, 1),
    loginSession(tokens.capped, 80, 1),
  ],
  outbox: [
    {
      id: "00001",
      recipient: "ada@example.org",
      subject: "Your link",
      body: "sealed:v1:text",
      reply_to: null,
      created_at: now - hourMs,
      attempts: 3,
      next_attempt_at: now + 10 * dayMs,
      sent_at: null,
      last_error: "ECONNREFUSED",
    },
  ],
  node_facts: [{ node: "syd01", public_key: "key of syd01", seen_at: now }],
  peerings: [
    {
      asn,
      node: "syd01",
      generation: 7,
      revision: 5,
      present: 1,
      request,
      peering: JSON.stringify(identity),
      listen_port: 20_001,
      peer_ipv4: null,
      peer_ipv6: "fe80::1",
      public_key: "key of the participant",
    },
  ],
  tasks: ["waiting", "success", "failed"].map((status, index) => ({
    id: `task ${status}`,
    asn,
    node: "syd01",
    kind: status === "failed" ? "delete" : "deploy",
    status,
    generation: 5 + index,
    request: status === "failed" ? null : request,
    previous: null,
    quip: "Untangling the cables",
    steps: '["Checked and saved the change."]',
    reason: status === "failed" ? "syd01 could not be reached." : "",
    created_at: now - dayMs,
    deadline_at: now,
    ended_at: status === "waiting" ? null : now - hourMs,
  })),
  node_samples: [{ node: "syd01", at: now - hourMs, state: "OK", cpu_percent: 12.5, routes_ipv4: 900 }],
  node_days: [{ node: "syd01", day: now - 80 * dayMs, ok: 1400, issues: 39, down: 1 }],
  traffic_samples: [{ node: "syd01", asn, at: now - hourMs, received: 5_000_000_000, sent: 7 }],
  push_keys: [{ name: "vapid", public_key: "public", private_key: "private" }],
  push_subscriptions: [
    {
      id: "phone",
      session_hash: hashOf(tokens.recent),
      asn,
      endpoint: "https://push.example.net/1",
      p256dh: "p",
      auth: "a",
      alerts: 1,
      created_at: now - dayMs,
    },
  ],
  push_messages: [
    {
      id: "message",
      subscription: "phone",
      topic: "topic",
      payload: "{}",
      created_at: now,
      attempts: 1,
      next_attempt_at: now + dayMs,
    },
  ],
  session_alerts: [{ asn, node: "syd01", state: "{}" }],
  contact_messages: [{ hash: "contact", taken_at: now }],
  rate_limits: [{ key: "login:4242420001", points: 3, expire: now + dayMs }],
  peering_conflicts: [{ node: "per01", asn, generation: 9, reason: "unknown", peering: null }],
};

const before0010: Rows = {
  audit_events: [
    { id: "event", at: now - dayMs, kind: "login", asn, login_session: "abc", request: "r1", detail: "new" },
  ],
  audit_addresses: [{ event: "event", prefix: "192.0.2.0/24" }],
};

const before0011: Rows = {
  account_notices: [{ id: "notice", asn, kind: "newClient", at: now, address_prefix: "192.0.2.0/24" }],
  account_deletions: [
    { id: "running", asn: other, started_at: now - dayMs, ended_at: null, state: "running" },
    { id: "ended", asn: other, started_at: now - 9 * dayMs, ended_at: now - 8 * dayMs, state: "cancelled" },
  ],
};

/** A database of the version before a migration. */
async function createBefore(
  migration: "0009" | "0010" | "0011" | "0013" | "0014",
  kind: "sqlite" | "postgres",
): Promise<OlderDatabase> {
  const database = await createOlderDatabase(kind);
  await database.migrateTo("0008-account-holders");
  const hash = await createFastPasswords().hash(goodPassword, "test");
  const [first = {}, ...others] = before0009["accounts"] ?? [];
  await database.insert({ ...before0009, accounts: [{ ...first, password_hash: hash }, ...others] });
  if (migration === "0009") return database;
  await database.migrateTo("0009-audit-log");
  await database.insert(before0010);
  if (migration === "0010") return database;
  await database.migrateTo("0010-account-life");
  await database.insert(before0011);
  if (migration === "0011") return database;
  await database.migrateTo("0012-agent-events");
  if (migration === "0013") return database;
  await database.migrateTo("0013-node-keys");
  return database;
}

async function readAll(database: OlderDatabase, tables: readonly string[]): Promise<Rows> {
  const read = tables.map(async (table) => [table, await database.read(table)] as const);
  return Object.fromEntries(await Promise.all(read));
}

function sample(at: number, state: string, cpu_percent: number | null) {
  return { node: "per01", at, state, cpu_percent };
}

const cookieOf = (token: string) => ({ cookie: `peerdeck=${token}` });

const always = ["counters", "database_identity", ...Object.keys(before0009)];

describe.each(["sqlite", "postgres"] as const)("a database of an earlier version on %s", (kind) => {
  test("keeps every row when it gets an audit log", async () => {
    await using database = await createBefore("0009", kind);
    const before = await readAll(database, always);
    await database.migrateTo("0009-audit-log");
    expect(await readAll(database, always)).toEqual(before);
    expect(await readAll(database, Object.keys(before0010))).toEqual({
      audit_events: [],
      audit_addresses: [],
    });
  });

  test("keeps every row when login sessions get an absolute end", async () => {
    await using database = await createBefore("0010", kind);
    const tables = [...always, ...Object.keys(before0010)];
    const before = await readAll(database, tables);
    await database.migrateTo("0010-account-life");
    const after = await readAll(database, tables);
    const { accounts = [], sessions = [], ...others } = before;
    expect(after).toMatchObject(others);
    expect(after["accounts"]).toEqual(
      accounts.map((row) => Object.assign(row, { first_login_at: row["created_at"] })),
    );
    expect(after["sessions"]).toEqual(
      sessions.map((row) =>
        Object.assign(row, {
          expires_at: Math.min(Number(row["expires_at"]), Number(row["created_at"]) + 90 * dayMs),
          used_at: Number(row["expires_at"]) - 30 * dayMs,
          address_prefix: null,
          browser: null,
        }),
      ),
    );
    expect(await readAll(database, Object.keys(before0011))).toEqual({
      account_notices: [],
      account_deletions: [],
    });
  });

  test("keeps every row when it gets a time", async () => {
    await using database = await createBefore("0011", kind);
    const tables = [...always, ...Object.keys(before0010), ...Object.keys(before0011)];
    const before = await readAll(database, tables);
    await database.migrateTo("0011-server-time");
    expect(await readAll(database, tables)).toEqual(before);
    expect(await readAll(database, ["server_time", "installation"])).toEqual({
      server_time: [],
      installation: [],
    });
  });

  test("keeps every row when it gets the keys of nodes, and takes them to be the participants'", async () => {
    await using database = await createBefore("0013", kind);
    const tables = [...always, ...Object.keys(before0010), ...Object.keys(before0011)];
    const before = await readAll(database, tables);
    await database.migrateTo("0013-node-keys");
    const after = await readAll(database, tables);
    expect(after).toMatchObject(before);
    expect(after["node_facts"]).toEqual([
      {
        ...before["node_facts"]?.[0],
        key_since: 0,
        notified_key: "key of syd01",
        notified_at: null,
        agent_version: null,
      },
    ]);
    expect(after["peerings"]).toEqual([{ ...before["peerings"]?.[0], node_key: "key of syd01" }]);
    expect(after["account_notices"]).toEqual([{ ...before["account_notices"]?.[0], node: null }]);
  });

  test("keeps every row when it gets half hours, and the quarter hours of its samples", async () => {
    await using database = await createBefore("0014", kind);
    const quarter = now - (now % 900_000) - 900_000;
    await database.insert({
      node_samples: [
        sample(quarter, "OK", 10.5),
        sample(quarter + 60_000, "Down", null),
        sample(quarter + 899_999, "Issues", 20),
        sample(quarter + 900_000, "OK", null),
      ],
    });
    const tables = [...always, ...Object.keys(before0010), ...Object.keys(before0011)];
    const before = await readAll(database, tables);
    await database.migrateTo("0014-half-hours");
    expect(await readAll(database, tables)).toEqual(before);
    const only = { ok: 0, issues: 0, down: 0 };
    expect(await database.read("node_quarters")).toEqual([
      {
        ...only,
        node: "per01",
        quarter,
        ok: 1,
        issues: 1,
        down: 1,
        cpu_sum: 30.5,
        cpu_count: 2,
        last_at: quarter + 899_999,
        last_state: "Issues",
      },
      {
        ...only,
        node: "per01",
        quarter: quarter + 900_000,
        ok: 1,
        cpu_sum: 0,
        cpu_count: 0,
        last_at: quarter + 900_000,
        last_state: "OK",
      },
      {
        ...only,
        node: "syd01",
        quarter: now - hourMs,
        ok: 1,
        cpu_sum: 12.5,
        cpu_count: 1,
        last_at: now - hourMs,
        last_state: "OK",
      },
    ]);
    expect(await readAll(database, ["current_half_hours", "past_half_hours"])).toEqual({
      current_half_hours: [],
      past_half_hours: [],
    });
  });

  test("leaves a participant logged in, with login sessions that end 90 days after the login", async () => {
    await using database = await createBefore("0009", kind);
    await database.close();
    await using server = await serveAccounts(database.at);
    const status = async (token: string) =>
      (await server.post("/api/getLoginSessions", { username: asn }, cookieOf(token))).status;
    expect([await status(tokens.old), await status(tokens.capped)]).toEqual([401, 200]);
    const { body } = await server.post("/api/getLoginSessions", { username: asn }, cookieOf(tokens.recent));
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ created: now - 10 * dayMs, current: true, browser: null }),
        expect.objectContaining({ ends: now + 10 * dayMs, current: false }),
      ]),
    );

    // An account of an earlier version has been logged in to: the next unknown browser is reported.
    await logIn(server, goodPassword);
    await expect
      .poll(async () => (await server.mailOutbox.listMails()).map(({ subject }) => subject))
      .toContain(`New login for AS${asn} at Example Network`);
    const activity = await server.post("/api/getActivity", { username: asn }, cookieOf(tokens.recent));
    expect(activity.body).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining({ kind: "login" })]),
    });
  });
});
