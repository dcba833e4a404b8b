/** A participant deletes the account: its peerings are removed from their nodes first. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountDeletion } from "#contract/call-tables/accounts/account-calls.ts";
import { calls } from "#contract/calls.ts";
import { runAccountsCommand } from "#cli/account-commands.ts";
import { runPeeringsCommand } from "#cli/peerings-command.ts";
import type { Db } from "#server/db/open.ts";
import { findDeletion, finishDeletion } from "#server/features/accounts/deletion/deletion-store.ts";
import { describeWithDatabase, openAsServer, type TestDatabase } from "../../support/databases.ts";
import {
  caller,
  deployPeering,
  logIn,
  outbox,
  peerUpdate,
  setNodeMode,
  signUp,
} from "../server/participant.ts";
import { type ProfileServer, profileServer } from "../server/profile-server.ts";
import { registerAndLogIn, serveAccounts } from "./account-server.ts";
import { runOperatorCommand } from "./operator-command.ts";

const password = "a sentence for the tests";

const progress = (url: string, { id }: Pick<AccountDeletion, "id">) =>
  caller(url)(calls.getAccountDeletion, { id });

async function waitForEnd(url: string, deletion: Pick<AccountDeletion, "id">): Promise<void> {
  await expect
    .poll(async () => (await progress(url, deletion)).state, { timeout: 30_000 })
    .not.toBe("running");
}

/** The tables that still have rows of the AS. */
async function listTablesWithRows(db: Db, asn: string): Promise<readonly string[]> {
  const tables = [
    "accounts",
    "login_sessions",
    "account_tokens",
    "api_tokens",
    "push_subscriptions",
    "peerings",
    "current_half_hours",
    "past_half_hours",
    "session_states",
  ] as const;
  const left: string[] = [];
  for (const table of tables) {
    const rows = await db.selectFrom(table).select("asn").where("asn", "=", asn).execute();
    if (rows.length > 0) left.push(table);
  }
  return left;
}

describeWithDatabase("deleting an account", { postgres: "share" }, (openTestDatabase) => {
  let server: ProfileServer;
  let at: TestDatabase;
  let url: string;
  beforeAll(async () => {
    at = await openTestDatabase();
    server = await profileServer({}, { at, waitMs: 300, watchEveryMs: 100 });
    ({ url } = server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  let lastAsn = 4_242_420_000;

  /** Signs up an AS that the server does not know yet. */
  async function signUpNext() {
    lastAsn += 1;
    const owner = await signUp(url, String(lastAsn));
    const username = { username: owner.asn };
    return { owner, username, confirmed: { ...username, password } };
  }

  test("removes its peerings, then everything else, and the AS can register again", async () => {
    const { owner, username, confirmed } = await signUpNext();
    const { asn } = owner;
    const { owner: other } = await signUpNext();
    await deployPeering(owner, "syd01");
    await deployPeering(owner, "de01");
    const rights = { scope: "read", node: null, days: 30, ends_with_password: false } as const;
    await owner.call(calls.createApiToken, { ...username, name: "script", ...rights });
    const deletion = await owner.call(calls.deleteAccount, confirmed);
    expect(deletion).toMatchObject({
      state: "running",
      peerings: [{ node: "de01" }, { node: "syd01" }],
    });
    await waitForEnd(url, deletion);
    expect(await progress(url, deletion)).toMatchObject({ state: "deleted", peerings: [] });
    await expect(owner.call(calls.getAccount, username)).rejects.toMatchObject({ status: 401 });
    await expect(logIn(url, asn)).rejects.toMatchObject({ status: 401 });
    expect(await other.call(calls.getAccount, { username: other.asn })).toMatchObject({ deletion: null });
    await using database = await openAsServer(at);
    expect(await listTablesWithRows(database.db, asn)).toEqual([]);

    const again = await signUp(url, asn);
    expect(await again.call(calls.getPeeredNodes, username)).toEqual([]);
    await deployPeering(again, "syd01");
    expect(await again.call(calls.getAccount, username)).toMatchObject({ deletion: null });
    const exported = await again.call(calls.exportAccount, username);
    expect(exported.tasks).toHaveLength(1);
  });

  test("needs the password, and starts once", async () => {
    const { owner, username, confirmed } = await signUpNext();
    await expect(
      owner.call(calls.deleteAccount, { ...username, password: "not this one" }),
    ).rejects.toMatchObject({ status: 422, body: { field: "password" } });
    await deployPeering(owner, "syd01");
    const all = await Promise.all([1, 2, 3].map(() => owner.call(calls.deleteAccount, confirmed)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    for (const deletion of all) await waitForEnd(url, deletion);
    const started = `Account deletion started for AS${owner.asn}`;
    const mails = (await outbox(url)).filter(({ subject }) => subject.startsWith(started));
    expect(mails).toHaveLength(1);
  });

  test("refuses a submit that was accepted before it and is written after it", async () => {
    const { owner, username, confirmed } = await signUpNext();
    // The server waits for the node before it writes.
    await setNodeMode(url, "za01", "silent");
    const submitted = owner.call(calls.updatePeerConfig, [username, peerUpdate({ node: "za01" })]);
    const deletion = await owner.call(calls.deleteAccount, confirmed);
    await waitForEnd(url, deletion);
    await expect(submitted).rejects.toMatchObject({ status: 401 });
    const list = ["--account", "none", "--format", "json"];
    expect((await runOperatorCommand(runPeeringsCommand, at, ...list)).lines).toEqual(["[]"]);
    await setNodeMode(url, "za01", "normal");
  });

  test("waits for a node that does not respond; meanwhile nothing can be deployed, and it can be cancelled", async () => {
    const { owner, username, confirmed } = await signUpNext();
    const { asn } = owner;
    await deployPeering(owner, "syd01");
    await deployPeering(owner, "de01");
    await setNodeMode(url, "syd01", "offline");
    const deletion = await owner.call(calls.deleteAccount, confirmed);
    await expect
      .poll(async () => (await progress(url, deletion)).peerings, { timeout: 30_000 })
      .toMatchObject([
        { node: "syd01", taskID: null, reason: expect.stringContaining("could not be reached") },
      ]);
    const { lines } = await runOperatorCommand(runAccountsCommand, at);
    expect(lines).toContainEqual(
      expect.stringMatching(
        `^AS${asn} has been in deletion since [0-9-]{10}\\. Peerings are left on syd01\\.$`,
      ),
    );
    await expect(
      owner.call(calls.updatePeerConfig, [username, peerUpdate({ node: "per01" })]),
    ).rejects.toMatchObject({ status: 409, body: { message: expect.stringContaining("being deleted") } });
    // The owner may log in, see the state, and keep the account.
    const again = await logIn(url, asn);
    expect(await again.call(calls.getAccount, username)).toMatchObject({ deletion: { id: deletion.id } });
    await again.call(calls.cancelAccountDeletion, username);
    expect(await progress(url, deletion)).toMatchObject({ state: "cancelled" });
    await expect(again.call(calls.cancelAccountDeletion, username)).rejects.toMatchObject({ status: 404 });
    await setNodeMode(url, "syd01", "normal");
    expect(await again.call(calls.getPeeredNodes, username)).toEqual(["syd01"]);
    await deployPeering(again, "per01");
  });

  test("goes on as soon as the node responds again", async () => {
    const { owner, username, confirmed } = await signUpNext();
    await deployPeering(owner, "syd01");
    await setNodeMode(url, "syd01", "offline");
    const deletion = await owner.call(calls.deleteAccount, confirmed);
    await expect
      .poll(async () => (await progress(url, deletion)).peerings, { timeout: 30_000 })
      .toMatchObject([{ node: "syd01", taskID: null, next_attempt: expect.any(Number) }]);
    await setNodeMode(url, "syd01", "normal");
    // Every read of the node's state is a call to it.
    await expect
      .poll(
        async () => {
          await owner.call(calls.getNodeStatus, { ...username, node: "syd01" }).catch(() => undefined);
          return (await progress(url, deletion)).state;
        },
        { timeout: 30_000 },
      )
      .toBe("deleted");
  });

  test("of an unknown ID says only that there is none", async () => {
    await expect(progress(url, { id: "4242420001" })).rejects.toMatchObject({
      status: 404,
      body: { field: "id" },
    });
  });

  test("continues after a restart of the server", async () => {
    const restarted = await openTestDatabase();
    const first = await profileServer({}, { at: restarted });
    const owner = await signUp(first.url, "4242420001");
    await deployPeering(owner, "syd01");
    await setNodeMode(first.url, "syd01", "offline");
    const deletion = await owner.call(calls.deleteAccount, { username: owner.asn, password });
    await first[Symbol.asyncDispose]();
    await using second = await profileServer({}, { at: restarted });
    await waitForEnd(second.url, deletion);
    expect(await progress(second.url, deletion)).toMatchObject({ state: "deleted", peerings: [] });
  });

  test("ends in one step, whichever statement is the last before a crash", async () => {
    await using accounts = await serveAccounts(await openTestDatabase());
    await registerAndLogIn(accounts);
    const { db } = accounts.database;
    const asn = "4242420001";
    const deletion = { id: "of a crash", asn, started_at: 1, ended_at: null, state: "running" } as const;
    await db.insertInto("account_deletions").values(deletion).execute();
    const before = await listTablesWithRows(db, asn);
    expect(before).toEqual(expect.arrayContaining(["accounts", "login_sessions"]));
    let left = 0;
    const crashing = db.withPlugin({
      transformQuery: ({ node }) => {
        left -= 1;
        if (left < 0) throw new Error("the server crashed");
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    let count = 0;
    for (let isDone = false; !isDone; count += 1) {
      left = count;
      isDone = await finishDeletion(crashing, asn, 2).catch((error: unknown) => {
        expect(error).toMatchObject({ message: "the server crashed" });
        return false;
      });
      expect([count, await listTablesWithRows(db, asn)]).toEqual([count, isDone ? [] : before]);
      const { state } = (await findDeletion(db, deletion.id)) ?? {};
      expect([count, state]).toEqual([count, isDone ? "deleted" : "running"]);
    }
    expect(count).toBeGreaterThan(8);
  });
});
