import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { serverProgram } from "../../support/built-programs.ts";
import { createGitRemote } from "../../support/git-remote.ts";
import { repository } from "../../support/repository.ts";
import { waitFor } from "../../support/wait-for.ts";
import { caller } from "../server/participant.ts";
import { runCommand } from "./program.ts";
import { setUpProvider } from "./provider.ts";

/** Expects that the server or an agent has all metrics that a file uses. */
async function expectKnownMetrics(name: string, served: string): Promise<void> {
  const [file, ofAgent] = await Promise.all(
    [name, "src/agent/metrics/golden/metrics.txt"].map((each) => readFile(join(repository, each), "utf8")),
  );
  const known = new Set(
    Array.from(`${served}\n${ofAgent}`.matchAll(/^# TYPE (\w+)/gm), ([, metric]) => metric),
  );
  const used = file?.match(/peerdeck_\w+/g)?.map((metric) => metric.replace(/_bucket$/, "")) ?? [];
  expect(used.length).toBeGreaterThan(9);
  expect(used.filter((metric) => !known.has(metric))).toEqual([]);
}

const readText = async (url: string) => (await fetch(url)).text();

test("a server with a registry URL fetches it at the start, into its data folder", async () => {
  await using remote = await createGitRemote({
    "aut-num/AS4242420001": "admin-c: ADA-P",
    "person/ADA-P": "e-mail: ada@example.org",
  });
  await using provider = await setUpProvider(["syd01"], { registry: `url = "${remote.url}"` });
  const server = await provider.startServer();
  await server.logged("the registry was updated");
  const { sent_to } = await caller(server.url)(calls.sendEmailVerification, { asn: "4242420001" });
  expect(sent_to).toEqual(["a…@example.org"]);
  await waitFor(async () =>
    expect(await readText(`${server.url}/healthz`)).toBe(
      "issues\nsyd01.example.net cannot be reached: the connection was refused, the agent may be off.\n",
    ),
  );
  const metrics = await readText(server.metricsUrl);
  expect(metrics).toMatch(/^peerdeck_registry_age_seconds \d+$/m);
  await expectKnownMetrics("docs/monitoring/alerts.yml", metrics);
  await expectKnownMetrics("docs/monitoring/dashboard.json", metrics);

  expect(await provider.runCommand(["accounts"])).toEqual({
    code: 0,
    output: `Database: SQLite in ${provider.serverDir}\nNo account is blocked, flagged or being deleted.\n`,
  });
  // As a process: the other tests run commands in their own.
  const release = ["accounts", "--release", "AS4242420001"];
  expect(await runCommand(serverProgram, release, provider.environment)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/AS4242420001 has no flagged account\. Nothing was changed\.\n$/),
  });
});
