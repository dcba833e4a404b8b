import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createFolder } from "../../system/fixtures/create-folder.ts";
import { checkProfile } from "./check-profile.ts";

const examplePath = fileURLToPath(new URL("../../../docs/provider.example.toml", import.meta.url));
const example = await readFile(examplePath, "utf8");

/** What `checkProfile` says of a profile, with "FILE" for its path. */
async function check(text: string, folder?: string): Promise<readonly string[]> {
  const path = join(folder ?? (await createFolder()), "provider.toml");
  await writeFile(path, text);
  return (await checkProfile(path)).map((problem) => problem.replaceAll(path, "FILE"));
}

test("a profile with all that a server needs has no problem", async () => {
  expect(await checkProfile(examplePath)).toEqual([]);
});

/** What a provider writes instead of a line of the example, each a mistake of another kind. */
const mistakes: ReadonlyArray<readonly [line: string, mistake: string]> = [
  ['support_address = "support@example.net"', 'suport_address = "support@example.net"'],
  ["strict_source = false", 'strict_source = "no"'],
  ['"172.20.222.0/24"', '"172.20.222.14/24"'],
  ["max_age_days = 7", 'max_age_days = 7\npath = "/srv/registry"'],
  ["smtps://peerdeck:secret@mail.example.net", "smtp://peerdeck:canary@mail.example.net"],
  ['tls = "required"', 'tls = "none"'],
  ["[audit]\nkeep_days = 400", "[audit]\nkeep_days = 7"],
  ['"https://198.51.100.14:4243"', '"http://198.51.100.14:4243"'],
  [":9A:47:B2", ""],
  ['name = "syd01"', 'name = "de01"'],
  ["lat = -33.87\n", ""],
  [example.slice(example.lastIndexOf("[nodes.agent]")), ""],
];

test("all mistakes of a profile are reported at once, each with its line and the remedy", async () => {
  const text = mistakes.reduce((before, [line, mistake]) => {
    expect(before).toContain(line);
    return before.replace(line, mistake);
  }, example);
  const problems = await check(text);
  await expect(`${problems.join("\n")}\n`).toMatchFileSnapshot("golden/profile-check.txt");
  expect(problems.join("\n")).not.toContain("canary");
});

test("files and tables that a server needs are reported with the rest", async () => {
  const folder = await createFolder();
  const text = example
    .replace(/url = "https:\/\/git.*/, 'path = "registry"')
    .replace('tls = "required"', 'ca = "ca.pem"')
    .replace("latency = true", "latency = 1");
  expect(await check(text, folder)).toEqual([
    `FILE:13: registry.path must be a registry clone, a readable folder that contains data/, found "${folder}/registry" (ENOENT). Clone the registry there, or set registry.url.`,
    `FILE:19: mail.ca must be a readable PEM file with the certificate of the authority, or of the mail server itself, found "${folder}/ca.pem" (ENOENT). Copy the certificate there, or remove ca.`,
    "FILE:40: publish.link_latency must be true or false, found 1.",
  ]);
  await mkdir(join(folder, "registry/data"), { recursive: true });
  const withoutMail = text.replace(/\[mail\][^]*(?=\[audit\])/, "");
  expect(await check(withoutMail, folder)).toEqual([
    "FILE:1: mail is missing, so the server cannot send registration links. Add a table [mail] with url and from.",
    "FILE:23: publish.link_latency must be true or false, found 1.",
  ]);
});

test("a table of the wrong kind is not reported as missing", async () => {
  expect(
    await check(`mail = true\nregistry = 1\n${example.replace(/\[registry\][^]*(?=\[audit\])/, "")}`),
  ).toEqual([
    "FILE:1: mail must be a table with url and from, found true.",
    "FILE:2: registry must be a table with path or url, found 1.",
  ]);
});

test("a file that is no TOML has one problem, and one that cannot be read too", async () => {
  expect(await check(example.replace('"Example Network"', "Example Network"))).toEqual([
    "FILE:2:8: Invalid TOML document: invalid value. Correct this line first: texts need quotes, lists and the names of tables need brackets.",
  ]);
  expect(await checkProfile("/nonexistent/provider.toml")).toEqual([
    "The provider profile /nonexistent/provider.toml cannot be read (ENOENT). FILE must name a readable TOML file.",
  ]);
});
