/** A network without a mail address registers with the real programs, by the commands on the screen, and logs in. */
import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { writeRegistryFiles } from "#server/registry/fixtures/registry-files.ts";
import { demoProfile, profileServer } from "../integration/server/profile-server.ts";
import { createScratchFolder } from "../support/scratch-folder.ts";
import { openPage } from "./open-page.ts";
import { findInStorage } from "./storage-dump.ts";
import { fill, submit } from "./wizard.ts";

const asn = "4242420077";
const password = "a sentence for the tests";

interface Owner {
  /** Runs a command as the network's owner does in a terminal. */
  readonly run: (command: string) => string;
  /** Writes a key, and returns what the registry has of it. */
  readonly createKey: () => string;
}

async function createOwner(createKey: (run: Owner["run"]) => string): Promise<Owner> {
  const home = await createScratchFolder(onTestFinished);
  const env = { PATH: process.env["PATH"], HOME: home, GNUPGHOME: join(home, ".gnupg") };
  for (const folder of [".ssh", ".gnupg"]) await mkdir(join(home, folder), { mode: 0o700 });
  const run = (command: string) =>
    execFileSync("/bin/sh", ["-c", command], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void run("gpgconf --kill all || true"));
  return { run, createKey: () => createKey(run) };
}

const createSshKey = (run: Owner["run"]) => {
  run(`ssh-keygen -q -t ed25519 -N '' -f "$HOME/.ssh/id_ed25519"`);
  return run(`cut -d' ' -f1,2 "$HOME/.ssh/id_ed25519.pub"`).trim();
};

const createPgpKey = (run: Owner["run"]) => {
  run("gpg --batch --quiet --passphrase '' --quick-gen-key 'Ada <ada@example.net>' ed25519 sign 0");
  return `pgp-fingerprint ${run("gpg --list-keys --with-colons | awk -F: '/^fpr/{print $10; exit}'").trim()}`;
};

/** Runs the command that the screen shows, and pastes its output. */
async function runAndPaste(page: Page, owner: Owner, command: string, box: string): Promise<string> {
  const line = await page.getByRole("region", { name: command }).textContent();
  const output = owner.run(line ?? "");
  await page.getByRole("textbox", { name: box }).fill(output);
  return output;
}

test.each([
  ["ssh-keygen", createSshKey, [["ssh-keygen -Y sign", "Signature"]]],
  [
    "gpg",
    createPgpKey,
    [
      ["gpg --clearsign", "Signature"],
      ["gpg --export", "Public key"],
    ],
  ],
] as const)("a signature of %s leads from /register to the manager", async (_, createKey, commands) => {
  const owner = await createOwner(createKey);
  const folder = await createScratchFolder(onTestFinished);
  await writeRegistryFiles(folder, {
    [`aut-num/AS${asn}`]: `aut-num: AS${asn}\nmnt-by: ADA-MNT\n`,
    "mntner/ADA-MNT": `mntner: ADA-MNT\nmnt-by: ADA-MNT\nauth: ${owner.createKey()}\n`,
  });
  const registry = { ...demoProfile.registry, from: { path: folder } };
  await using server = await profileServer({}, { profile: { registry } });
  const page = await openPage(server.url, { ownTab: true });
  await page.goto("/register");
  await fill(page, { ASN: asn });
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText(`The registry lists no email address for AS${asn}.`).waitFor();
  const outputs: string[] = [];
  for (const [command, box] of commands) outputs.push(await runAndPaste(page, owner, command, box));
  expect(
    await findInStorage(
      page,
      outputs.map((output) => output.slice(0, 40)),
    ),
  ).toEqual([]);
  await page.getByRole("button", { name: "Prove" }).click();
  await page.waitForURL(`${server.url}/setPassword?purpose=registration`);
  await fill(page, { Password: password, "Confirm password": password });
  await submit(page);
  await page.getByRole("link", { name: "Back to login" }).click();
  await fill(page, { ASN: asn, Password: password });
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  expect(page.url()).toBe(`${server.url}/manager`);
});
