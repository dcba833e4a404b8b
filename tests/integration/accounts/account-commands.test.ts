/** The operator's command `accounts`, on the database of a running server. */
import { expect, test } from "vitest";
import { runAccountsCommand } from "#server/commands/account-commands.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { goodPassword, isLoggedIn, logIn, registerAndLogIn, serveAccounts } from "./account-server.ts";
import { runOperatorCommand } from "./operator-command.ts";

const asn = "4242420001";

describeWithDatabase("the operator", { postgres: "share" }, (openDatabase) => {
  test.each(["AS4242420001", "all"])("ends the login sessions of %s", async (whose) => {
    const at = await openDatabase();
    await using server = await serveAccounts(at);
    const first = await registerAndLogIn(server);
    const second = await logIn(server, goodPassword);
    expect([await isLoggedIn(server, first), await isLoggedIn(server, second)]).toEqual([true, true]);

    expect(await runOperatorCommand(runAccountsCommand, at, "--end-login-sessions", whose)).toEqual({
      code: 0,
      lines: [
        expect.stringContaining("Database: "),
        "AS4242420001: 2 login sessions ended.",
        "Running servers accept them for at most a minute.",
      ],
    });
    server.pass(60_000);
    expect([await isLoggedIn(server, first), await isLoggedIn(server, second)]).toEqual([false, false]);
    const events = await server.database.db
      .selectFrom("audit_events")
      .select(["asn", "kind", "login_session"])
      .where("kind", "like", "%operator%")
      .execute();
    expect(events).toEqual([{ asn, kind: "login-sessions-ended-by-operator", login_session: null }]);
    expect(await logIn(server, goodPassword)).not.toEqual({ cookie: "" });
  });

  test("ends no login sessions of other AS numbers, and says so", async () => {
    const at = await openDatabase();
    await using server = await serveAccounts(at);
    const session = await registerAndLogIn(server);
    expect(
      await runOperatorCommand(runAccountsCommand, at, "--end-login-sessions", "4242420002"),
    ).toMatchObject({
      code: 1,
      lines: [expect.anything(), "There is no such login session. Nothing was changed."],
    });
    server.pass(60_000);
    expect(await isLoggedIn(server, session)).toBe(true);
  });
});
