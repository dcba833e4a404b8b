import { expect, test } from "vitest";
import { createTestDatabase } from "../../support/databases.ts";
import { openTcpRelay } from "../../support/tcp-relay.ts";
import { setUpProvider } from "./provider.ts";

test("a server whose database hangs stops at the deadline", async () => {
  await using database = await createTestDatabase();
  await using relay = await openTcpRelay(Number(new URL(database.url).port));
  await using provider = await setUpProvider(["syd01"]);
  const { program, url } = await provider.startServerProcess({
    DATABASE_URL: relay.through(database.url),
    STOP_TIMEOUT_SECONDS: "1",
  });
  // By its response the process handles signals.
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  relay.moveTo("hang");
  relay.fallSilent();
  const request = fetch(`${url}/api/sendEmailVerification`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ asn: "4242420001" }),
  }).catch(() => null);
  expect(await program.end("SIGTERM")).toEqual([1, null]);
  expect(program.log.at(-1)).toMatchObject({
    msg: "the server did not stop in time and exits now; the next start continues its work",
  });
  await request;
});
