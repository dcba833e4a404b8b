import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runProgram } from "./program.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-profile-"));
  await mkdir(join(folder, "registry/data"), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

const head = `name = "Example Network"
domain = "example.net"
asn = "4242422227"
public_url = "https://peering.example.net"
support_address = "support@example.net"
registry = { path = "registry" }
`;
const mail = 'mail = { url = "smtp://127.0.0.1:25", from = "peering@example.net" }\n';
const node = `[[nodes]]
name = "syd01"
place = "Sydney"
lat = -33.9
lon = 151.2
public_ip = "192.0.2.1"
`;

test.each([
  [
    "mail",
    head + node,
    (path: string) =>
      `${path} has no table [mail], so the server cannot send registration links. Add [mail] with url and from.`,
  ],
  [
    "an agent",
    head + mail + node,
    (path: string) => `${path}: node syd01 has no agent. Add [nodes.agent] with url and fingerprint.`,
  ],
  [
    "the registry",
    head.replace('"registry"', '"other"') + mail + node,
    (path: string) =>
      `${path}:6: registry.path must be a registry clone, a readable folder that contains data/, found ` +
      `"${join(folder, "other")}" (ENOENT). Clone the registry there, or set registry.url.`,
  ],
])("without %s the server reports it and does not start", async (_, profile, errorMessage) => {
  const path = join(folder, "provider.toml");
  await writeFile(path, profile);
  await using program = runProgram("src/main.ts", { PEERDECK_CONFIG: path, DATA_DIR: folder, PORT: "0" });
  expect(await program.ended()).toEqual({ code: 1, stderrText: `${errorMessage(path)}\n` });
  expect(program.log).toEqual([]);
});

test.each([
  [
    "in a provider's folder",
    async () => {
      await mkdir(join(folder, "identity"));
      return {
        environment: { PEERDECK_DEMO: "1" },
        errorMessage: `The folder ${folder} contains a provider's data, which the demo would change. Nothing was started. Set PEERDECK_CONFIG to the provider profile, or DATA_DIR to another folder.`,
      };
    },
  ],
  [
    "on a database that was not set for it",
    async () => ({
      environment: { DATABASE_URL: "postgres://127.0.0.1:1/peerdeck" },
      errorMessage:
        "DATABASE_URL is set and PEERDECK_CONFIG is not, so the demo would use that database. Nothing was started. Set PEERDECK_CONFIG to the provider profile, or PEERDECK_DEMO to 1.",
    }),
  ],
])("without a profile the demo does not start %s", async (_, prepare) => {
  const { environment, errorMessage } = await prepare();
  await using program = runProgram("src/main.ts", { ...environment, DATA_DIR: folder, PORT: "0" });
  expect(await program.ended()).toEqual({ code: 1, stderrText: `${errorMessage}\n` });
});
