import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGitRemote } from "../../support/git-remote.ts";
import { waitFor } from "../../support/wait-for.ts";
import { runCommand, runProgram } from "./program.ts";

test("a server with a registry URL fetches it at the start, into its data folder", async () => {
  await using parts = new AsyncDisposableStack();
  const remote = parts.use(
    await createGitRemote({
      "aut-num/AS4242420001": "admin-c: ADA-P",
      "person/ADA-P": "e-mail: ada@example.org",
    }),
  );
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-registry-"));
  parts.defer(() => rm(folder, { recursive: true }));
  const profilePath = join(folder, "provider.toml");
  await writeFile(
    profilePath,
    `name = "Example Network"
domain = "example.net"
asn = "4242422227"
public_url = "https://peering.example.net"
support_address = "support@example.net"
registry = { url = "${remote.url}" }
mail = { url = "smtp://127.0.0.1:9", from = "peering@example.net" }
[[nodes]]
name = "syd01"
place = "Sydney"
lat = -33.9
lon = 151.2
public_ip = "192.0.2.1"
agent = { url = "https://127.0.0.1:9", fingerprint = "${"00".repeat(32)}" }
`,
  );
  const dataDir = join(folder, "data");
  const environment = { PEERDECK_CONFIG: profilePath, DATA_DIR: dataDir, PORT: "0" };
  const program = parts.use(runProgram("src/main.ts", environment));
  const { url } = await program.logged("the server is listening");
  await program.logged("the registry was updated");
  const response = await fetch(`${String(url)}/api/sendEmailVerification`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ asn: "4242420001" }),
  });
  expect(await response.json()).toEqual({ sent_to: ["a…@example.org"] });
  await waitFor(async () =>
    expect(await (await fetch(`${String(url)}/healthz`)).text()).toBe(
      "issues\nsyd01.example.net cannot be reached: the connection was refused, the agent may be off.\n",
    ),
  );
  const metrics = await (await fetch(`${String(url)}/metrics`)).text();
  expect(metrics).toMatch(/^peerdeck_registry_age_seconds \d+$/m);
  expect(await runCommand("src/main.ts", ["accounts"], environment)).toEqual({
    code: 0,
    output: `Database: SQLite in ${dataDir}\nNo account is flagged.\n`,
  });
  expect(
    await runCommand("src/main.ts", ["accounts", "--release", "AS4242420001"], environment),
  ).toMatchObject({
    code: 1,
    output: expect.stringMatching(/AS4242420001 has no flagged account\. Nothing was changed\.\n$/),
  });
});
