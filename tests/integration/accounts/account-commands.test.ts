/** The operator's command `accounts`, on the database of a running server. */
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { runAccountsCommand } from "#cli/account-commands.ts";
import { runPeeringsCommand } from "#cli/peerings-command.ts";
import { runCommand } from "#cli/run-command.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { goodPassword, isLoggedIn, logIn, registerAndLogIn, serveAccounts } from "./account-server.ts";
import { deployPeering, logIn as signIn, signUp } from "../server/participant.ts";
import { profileServer } from "../server/profile-server.ts";
import { runOperatorCommand } from "./operator-command.ts";

const asn = "4242420001";

const status = (calling: Promise<unknown>) =>
  calling.then(
    () => 200,
    (error: unknown) => (error as { readonly status: number }).status,
  );

describeWithDatabase("the operator", { postgres: "share" }, (openDatabase) => {
  test.each(["AS 4242 420 001", "all"])("ends the login sessions of %s", async (whose) => {
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
        "Running servers refuse them within seconds.",
      ],
    });
    server.pass(5_000);
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
      lines: [expect.anything(), "There is no such login session or API token. Nothing was changed."],
    });
    for (const option of ["--end-login-sessions", "--release"]) {
      await expect(runOperatorCommand(runAccountsCommand, at, option, "AS4242420001x")).rejects.toThrow(
        `${option}: AS4242420001x is not an AS number. Nothing was changed.`,
      );
    }
    server.pass(5_000);
    expect(await isLoggedIn(server, session)).toBe(true);
  });

  test("blocks an AS, whose peerings keep running, and ends the block", async () => {
    const at = await openDatabase();
    await using server = await profileServer({}, { at });
    const owner = await signUp(server.url, asn);
    await deployPeering(owner, "de01");
    const username = { username: asn };
    const blocked = await runOperatorCommand(
      runAccountsCommand,
      at,
      "--block",
      "AS4242420001",
      "--reason",
      "Your routes leak",
    );
    expect(blocked).toMatchObject({
      code: 0,
      lines: [expect.anything(), expect.anything(), "Its peerings keep running on de01."],
    });
    await expect.poll(() => status(owner.call(calls.getPeeredNodes, username)), { timeout: 8_000 }).toBe(401);
    await expect(signIn(server.url, asn)).rejects.toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(": Your routes leak. Its peerings keep running.") },
    });
    expect(await status(signIn(server.url, asn, "a wrong password"))).toBe(401);
    const link = { asn, password_reset: "Yes" } as const;
    await expect(owner.call(calls.sendEmailVerification, link)).rejects.toMatchObject({
      status: 403,
      body: { message: expect.not.stringContaining("leak") },
    });
    const list = await runOperatorCommand(runPeeringsCommand, at, "--account", "blocked", "--format", "json");
    expect(JSON.parse(list.lines.join("\n"))).toMatchObject([{ as: asn, node: "de01", state: "deployed" }]);

    expect(await runOperatorCommand(runAccountsCommand, at, "--unblock", asn)).toMatchObject({ code: 0 });
    const again = await signIn(server.url, asn);
    const { entries } = await again.call(calls.getActivity, username);
    expect(entries.map(({ text }) => text)).toEqual(
      expect.arrayContaining(["The operator blocked you. Reason: Your routes leak."]),
    );
    await deployPeering(again, "de01", { mtu: "1400" });
  });

  test("lists the peerings that filters match, as a table, CSV and JSON", async () => {
    const at = await openDatabase();
    await using server = await profileServer({}, { at });
    const one = await signUp(server.url, asn);
    const two = await signUp(server.url, "4242420002");
    for (const [participant, node] of [
      [one, "syd01"],
      [one, "de01"],
      [two, "de01"],
    ] as const)
      await deployPeering(participant, node);
    const list = async (...args: readonly string[]) =>
      (await runOperatorCommand(runPeeringsCommand, at, ...args)).lines;
    expect((await list()).map((line) => line.split(/ {2,}/).slice(0, 3).join(" "))).toEqual([
      "as node state",
      "4242420001 de01 deployed",
      "4242420001 syd01 deployed",
      "4242420002 de01 deployed",
      "",
      "3 peerings",
    ]);
    const csv = await list("--node", "de01", "--as", "AS4242420002", "--format", "csv");
    expect(csv[0]).toContain("as,node,state,session,account,endpoint,listen_port");
    expect(csv.slice(1)).toEqual([expect.stringMatching(/^4242420002,de01,deployed,/)]);
    expect(await list("--account", "none", "--format", "json")).toEqual(["[]"]);
    await expect(list("--state", "lost")).rejects.toThrow("--state: lost is none of deployed, ");
  });
});

test.each([
  "fingerprint",
  "peerings",
  "accounts",
  "remove-peering",
  "recover",
  "backup",
  "restore",
  "audit",
  "reset-secrets",
])("%s --help prints how it is used", async (name) => {
  const run: typeof runAccountsCommand = (args, ...rest) => runCommand(name, args, ...rest);
  const at = { kind: "sqlite", dataDir: "/nonexistent" } as const;
  expect(await runOperatorCommand(run, at, "--help")).toMatchObject({
    code: 0,
    lines: expect.arrayContaining([expect.stringMatching(`^peerdeck ${name}\\b`)]),
  });
});

/** Runs a command of any name, which is the first argument. */
const runNamed: typeof runAccountsCommand = ([name = "", ...args], ...rest) =>
  runCommand(name, args, ...rest);

test("peerdeck alone lists the commands, and an unknown one is refused with the list", async () => {
  const at = { kind: "sqlite", dataDir: "/nonexistent" } as const;
  const lines = expect.arrayContaining(["  audit           Read the audit log"]) as string[];
  expect(await runOperatorCommand(runNamed, at, "help")).toMatchObject({ code: 0, lines });
  await expect(runOperatorCommand(runNamed, at, "sever")).rejects.toThrow(
    /^There is no command sever\.\n\npeerdeck COMMAND\n/,
  );
});
