/** Two server processes with one PostgreSQL database: when one is killed, the other finishes its work. */
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { createTestDatabase, runSql } from "../../support/databases.ts";
import { caller, logIn, submitPeering, waitForTask } from "../server/participant.ts";
import { password, requestToken } from "./mailed-link.ts";
import { setUpProvider } from "./provider.ts";

const asn = "4242420001";
const node = "syd01";

test("after a server is killed, the other finishes its deployment once", async () => {
  await using database = await createTestDatabase();
  await using provider = await setUpProvider([node]);
  // Slow enough to find the deployment while it runs.
  await provider.startAgentProcess(node, { DEMO_TIME_SCALE: "2" });
  const start = (name: string) =>
    provider.startServerProcess({ DATABASE_URL: `${database.url}?application_name=${name}` });
  const [one, two] = await Promise.all([start("one"), start("two")]);
  const token = await requestToken(provider.mail, one.url, asn);
  await caller(two.url)(calls.setPassword, { token, password });

  const { cookie } = await logIn(one.url, asn);
  const here = { asn, cookie, call: caller(one.url, cookie) };
  const there = { asn, cookie, call: caller(two.url, cookie) };
  const taskID = await submitPeering(here, node);

  const deploying = await findDeployingServer(database.url);
  const [killed, left, participant] = deploying === "one" ? [one, two, there] : [two, one, here];
  await killed.program.end("SIGKILL");
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  await left.program.logged("deployment ended");
  const finished = [killed, left].map(
    ({ program }) => program.log.filter(({ msg }) => msg === "deployment ended").length,
  );
  expect(finished).toEqual([0, 1]);
});

/** Waits for a server to work on the node's tasks and returns its name. */
async function findDeployingServer(url: string): Promise<string> {
  const findLock = `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted
      AND (classid::bigint << 32 | objid::bigint) = hashtextextended('deploy ${node}', 0)`;
  for (;;) {
    const [server] = await runSql<{ name: string }>(url, findLock);
    if (server) return server.name;
  }
}
