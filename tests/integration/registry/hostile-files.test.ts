/** Anyone can register an object. Whatever is at its path, only a regular file inside the clone is read. */
import { execFileSync } from "node:child_process";
import { link, mkdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFolderSource } from "#server/registry/registry-source.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { type AccountServer, serveAccounts } from "../accounts/account-server.ts";

let parts: AsyncDisposableStack;
let outside: string;
let clone: string;
let server: AccountServer;

beforeEach(async () => {
  parts = new AsyncDisposableStack();
  const folder = await createScratchFolder((remove) => parts.defer(remove));
  outside = join(folder, "outside");
  clone = join(folder, "clone");
  for (const root of [outside, clone]) {
    for (const kind of ["aut-num", "person"]) await mkdir(join(root, "data", kind), { recursive: true });
    const mail = root === outside ? "outside@example.org" : "ada@example.org";
    await writeFile(join(root, "data/aut-num/AS4242420001"), "admin-c: A-P\n");
    await writeFile(join(root, "data/person/A-P"), `e-mail: ${mail}\n`);
  }
  const given = join(folder, "given");
  await symlink(clone, given);
  server = parts.use(await serveAccounts(null, { createRegistrySource: () => createFolderSource(given) }));
});
afterEach(() => parts.disposeAsync());

const at = (path: string) => join(clone, "data", path);
const requestLink = () => server.post("/api/sendEmailVerification", { asn: "4242420001" });
const readMailed = async () => (await server.mailOutbox.listMails()).map(({ to }) => to);
const logged = () => server.log.filter((line) => line.includes("an object of the registry was not read"));

/** Puts something else in the place of a file or folder. */
async function replace(path: string, put: (path: string) => Promise<unknown>): Promise<void> {
  await rm(at(path), { recursive: true });
  await put(at(path));
}

test("the clone itself may be a link, and a file may have a second name", async () => {
  await link(at("person/A-P"), join(outside, "second-name"));
  expect(await requestLink()).toMatchObject({ status: 200 });
  expect(await readMailed()).toEqual(["ada@example.org"]);
});

const linkTo = (target: () => string) => (path: string) => symlink(target(), path);

test.each<[string, string, (path: string) => Promise<unknown>, RegExp?]>([
  ["a link to a file outside", "person/A-P", linkTo(() => join(outside, "data/person/A-P")), /is a link/],
  ["a link to a file inside", "person/A-P", linkTo(() => "../aut-num/AS4242420001"), /is a link/],
  [
    "a folder that is a link",
    "person",
    linkTo(() => join(outside, "data/person")),
    /a folder that is a link/,
  ],
  ["a link to a device", "aut-num/AS4242420001", linkTo(() => "/dev/zero"), /is a link/],
  ["a pipe", "aut-num/AS4242420001", async (path) => execFileSync("mkfifo", [path]), /not a regular file/],
  [
    "a socket",
    "aut-num/AS4242420001",
    (path) =>
      new Promise<void>((done) => {
        const listener = createServer().listen(path, done);
        parts.defer(() => void listener.close());
      }),
    /not a regular file/,
  ],
  [
    "a sparse file of 6 GB",
    "aut-num/AS4242420001",
    async (path) => {
      await writeFile(path, "");
      await truncate(path, 6e9);
    },
    /is larger than 262144 bytes/,
  ],
  [
    "4 MB of continuation lines",
    "aut-num/AS4242420001",
    (path) => writeFile(path, `admin-c: A-P\n${"+x\n".repeat(1_400_000)}`),
    /is larger than 262144 bytes/,
  ],
])("%s is no object, and the log says so once", async (_, path, put, reason) => {
  await replace(path, put);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { status } = await requestLink();
    expect(status).toBe(path.startsWith("aut-num") ? 404 : 422);
  }
  expect(await readMailed()).toEqual([]);
  expect(logged()).toEqual([expect.stringMatching(reason ?? /./)]);
});

test("without the folder of AS objects in the clone itself, there is no registry", async () => {
  await rename(at("aut-num"), join(outside, "moved"));
  await symlink(join(outside, "moved"), at("aut-num"));
  expect(await requestLink()).toMatchObject({ status: 503 });
});

test("objects that name each other very often are read only a limited number of times", async () => {
  const names = Array.from({ length: 4_000 }, (_, index) => `M${index % 40}`);
  await mkdir(at("mntner"), { recursive: true });
  await mkdir(at("role"), { recursive: true });
  await writeFile(at("aut-num/AS4242420001"), `mnt-by: ${names.join(" ")}\n`);
  for (const name of names.slice(0, 40)) {
    await writeFile(at(`mntner/${name}`), `admin-c: ${names.join(" ")}\n`);
    await writeFile(at(`role/${name}`), `admin-c: ${names.join(" ")}\n`);
  }
  const before = process.cpuUsage();
  expect(await requestLink()).toMatchObject({ status: 422 });
  const { user, system } = process.cpuUsage(before);
  const reference = process.cpuUsage();
  for (let copy = 0; copy < 500; copy += 1) names.join(" ").split(/[\s,]/);
  const { user: most } = process.cpuUsage(reference);
  expect(user + system).toBeLessThan(most * 4);
});
