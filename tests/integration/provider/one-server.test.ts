/** Two servers on one folder, without PostgreSQL. */
import { expect, test } from "vitest";
import { demoServer } from "../server/demo-server.ts";
import { runProgram } from "./program.ts";
import { setUpProvider } from "./provider.ts";

const inUse = (folder: string) =>
  `Another server is running on ${folder}. This one exits without changes. Stop the other one first, set DATA_DIR ` +
  "to another folder, or use PostgreSQL (DATABASE_URL), which several servers can share.\n";

test("a second server on a folder says that it is in use, until the first one has died", async () => {
  await using provider = await setUpProvider(["syd01"]);
  const { program, url } = await provider.startServerProcess();
  expect(await provider.refuseStart()).toBe(inUse(provider.serverDir));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await program.end("SIGKILL");
  await provider.startServer();
});

test("a second demo on a folder says that it is in use", async () => {
  await using first = await demoServer();
  await using second = runProgram("src/main.ts", { DATA_DIR: first.dataDir, PORT: "0" });
  expect(await second.ended()).toEqual({ code: 1, stderrText: inUse(first.dataDir) });
});
