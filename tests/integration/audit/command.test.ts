import { expect, test } from "vitest";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import { runAuditCommand } from "#server/audit-command.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";

const hourMs = 3_600_000;

describeWithDatabase("the command audit", (openDatabase) => {
  test("prints a line for each event, the newest first, of one AS or all, as far back as asked", async () => {
    const at = await openDatabase();
    const now = Date.now();
    {
      await using database = await openAsServer(at);
      const origin = { clientAddress: "192.0.2.7", loginSession: "abc", requestId: "r1" };
      await recordEvent(database.db, { kind: "logout", asn: "1" }, noOrigin, now - 9 * 24 * hourMs);
      await recordEvent(database.db, { kind: "login", asn: "4242420001" }, origin, now - 2 * hourMs);
      const failed = { kind: "deployment-failed", asn: "4242420002", node: "de01", task: "t1" } as const;
      await recordEvent(database.db, { ...failed, detail: "No\n\u001b[2Jroute." }, noOrigin, now - hourMs);
    }
    const settings = at.kind === "sqlite" ? { DATA_DIR: at.dataDir } : { DATABASE_URL: at.url };
    const environment = readEnvironment({ DATA_DIR: scratchFolder(), ...settings });
    const print = async (...args: readonly string[]) => {
      const lines: string[] = [];
      const code = await runAuditCommand(args, environment, (line) => void lines.push(line));
      return [code, lines.map((line) => line.replace(/^\S+Z {2}/, ""))] as const;
    };
    const login =
      "AS4242420001 logged in.  (kind=login as=4242420001 network=192.0.2.0/24 session=abc request=r1)";
    const failed =
      "The peering was not deployed on de01. No��[2Jroute.  (kind=deployment-failed as=4242420002 task=t1)";
    expect(await print()).toEqual([0, [failed, login]]);
    expect(await print("--asn", "AS4242420001")).toEqual([0, [login]]);
    expect(await print("--since", "90m")).toEqual([0, [failed]]);
    await expect(print("--since", "soon")).rejects.toThrow("--since: soon is not a time such as 7d");
    await expect(print("--asn", "x")).rejects.toThrow("--asn: x is not an AS number");
  });
});
