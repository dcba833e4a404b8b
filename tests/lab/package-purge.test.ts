/** The script that a purge of the agent's package runs, below a folder of its own and with Debian's BIRD. */
import { execFile } from "node:child_process";
import { access, chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { repository } from "../support/repository.ts";

const execute = promisify(execFile);
let root = "";
const at = (path: string) => join(root, path);
const bird = () => execute("bird", ["-p", "-c", at("etc/bird/bird.conf")]);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "peerdeck-purge-"));
  for (const folder of ["etc/bird/roa", "etc/bird/peerdeck/a", "var/lib/peerdeck-agent", "etc/mine", "bin"])
    await mkdir(at(folder), { recursive: true });
  await symlink("a", at("etc/bird/peerdeck/current"));
  await symlink("a", at("etc/bird/peerdeck/confirmed"));
  await writeFile(at("etc/bird/peerdeck/a/generation.conf"), "define peerdeck_generation = 1;\n");
  await writeFile(at("etc/bird/peerdeck-policy.conf"), "define peerdeck_policy = 1;\n");
  await writeFile(at("etc/bird/roa/roa4.conf"), "route 172.20.1.0/26 max 29 as 4242420001;\n");
  // Of the machine that runs the tests, nothing is changed.
  for (const name of ["ip", "nft", "systemctl", "deb-systemd-helper"]) {
    await writeFile(at(`bin/${name}`), "#!/bin/sh\n");
    await chmod(at(`bin/${name}`), 0o755);
  }
});
afterEach(() => rm(root, { recursive: true }));

/** Removes the package and purges it, as dpkg does. Returns what the script printed, with paths as on a machine. */
async function purge(): Promise<string> {
  const script = await readFile(join(repository, "src/agent/package/DEBIAN/postrm"), "utf8");
  await writeFile(at("postrm"), script.replaceAll(/\/(?=(?:etc|var|run|usr)\/)/g, `${root}/`));
  const env = { ...process.env, PATH: `${at("bin")}${delimiter}${process.env["PATH"]}:/usr/sbin:/sbin` };
  const run = async (action: string) => {
    const { stdout, stderr } = await execute("sh", [at("postrm"), action], { env });
    return (stdout + stderr).replaceAll(root, "");
  };
  await run("remove");
  await rm(at("etc/bird/peerdeck-policy.conf"));
  return run("purge");
}

const own = ["peerdeck-policy.conf", "peerdeck", "roa"];
async function remaining(): Promise<readonly string[]> {
  const found = await Promise.all(
    [...own, ".peerdeck-purge"].map(async (name) =>
      access(at(`etc/bird/${name}`)).then(
        () => [name],
        () => [],
      ),
    ),
  );
  return found.flat();
}

const config = (folder: string, own4 = "roa/roa4*.conf") => `router id 172.20.16.9;
protocol device {}
roa4 table dn42_roa4;
include "${folder}peerdeck-policy.conf";
include "${folder}peerdeck/current/*.conf";
protocol static peerdeck_roa4 { roa4 { table dn42_roa4; };
include "${folder}${own4}";
}
`;

test.each([
  ["absolute paths", () => `${root}/etc/bird/`, "bird.conf"],
  ["relative paths", () => "", "bird.conf"],
  ["absolute paths in a file elsewhere", () => `${root}/etc/bird/`, "symlink"],
  ["relative paths in a file elsewhere", () => "", "symlink"],
])("what bird.conf includes by %s is left, and named", async (_, folder, place) => {
  const file = at(place === "symlink" ? "etc/mine/router.conf" : "etc/bird/bird.conf");
  await writeFile(file, config(folder()));
  if (place === "symlink") await symlink(file, at("etc/bird/bird.conf"));
  await bird();
  const printed = await purge();
  expect(await remaining()).toEqual(own);
  await bird();
  expect(printed).not.toContain("cannot parse");
  for (const line of [4, 5]) {
    expect(printed).toContain(
      `/etc/bird/bird.conf, line ${line}, still includes Peerdeck's files, so they were left: include `,
    );
  }
  expect(printed).toContain(
    "/etc/bird/bird.conf, line 7, still includes Peerdeck's ROAs, so they were left as they are: include ",
  );
});

test("what a file outside of /etc/bird includes is left", async () => {
  await writeFile(at("etc/mine/more"), config(`${root}/etc/bird/`));
  await writeFile(at("etc/bird/bird.conf"), `include "${root}/etc/mine/more";\n`);
  await bird();
  expect(await purge()).toBe(
    "BIRD's configuration still includes Peerdeck's files, so they were left.\n" +
      "BIRD's configuration still includes Peerdeck's ROAs, so they were left as they are.\n",
  );
  expect(await remaining()).toEqual(own);
  await bird();
});

test("what BIRD does not need is deleted, also beside what it needs", async () => {
  await writeFile(
    at("etc/bird/bird.conf"),
    'router id 172.20.16.9;\nprotocol device {}\n# include "roa/roa4.conf";\n',
  );
  expect(await purge()).toBe("");
  expect(await remaining()).toEqual([]);
  await bird();

  await mkdir(at("etc/bird/roa"));
  await writeFile(at("etc/bird/roa/roa4.conf"), "");
  await writeFile(at("etc/bird/peerdeck-policy.conf"), "");
  await writeFile(at("etc/bird/bird.conf"), 'protocol device {}\ninclude "roa/*.conf";\n');
  expect(await purge()).toBe(
    '/etc/bird/bird.conf, line 2, still includes Peerdeck\'s ROAs, so they were left as they are: include "roa/*.conf";\n',
  );
  expect(await remaining()).toEqual(["roa"]);
});

test("if BIRD cannot parse its configuration anyway, everything that it includes is left", async () => {
  await writeFile(at("etc/bird/bird.conf"), `${config("")}nonsense\n`);
  expect(await purge()).toMatch(
    /line 7, still includes [^]*BIRD cannot parse its configuration .*nonsense|syntax/,
  );
  expect(await remaining()).toEqual(own);
});

test.each([
  ["no", 1, "1 peering of this node keeps running until a reboot. A new installation takes it over.\n"],
  ["no", 2, "2 peerings of this node keep running until a reboot. A new installation takes them over.\n"],
  [
    "yes",
    1,
    "The tunnel dn42_4242420001 could not be removed, so the packet filter was left.\n" +
      "Removed 1 peering from this node. BIRD forgets the sessions when you run: birdc configure\n",
  ],
])(
  "asked about the peerings and answered %s, a purge says what happens to them (%i)",
  async (reply, count, printed) => {
    await writeFile(at("etc/bird/bird.conf"), "protocol device {}\n");
    for (let each = 1; each <= count; each += 1)
      await writeFile(at(`etc/bird/peerdeck/a/dn42_424242000${each}.conf`), "");
    // The command ip of this test does not delete it.
    await writeFile(at("var/lib/peerdeck-agent/interfaces.json"), '["dn42_4242420001"]');
    await mkdir(at("usr/share/debconf"), { recursive: true });
    const commands = 'for name in version subst input go purge; do eval "db_$name() { :; }"; done';
    await writeFile(
      at("usr/share/debconf/confmodule"),
      `${commands}\ndb_get() { RET=${reply === "yes"}; }\n`,
    );
    expect(await purge()).toBe(printed);
  },
);

test("a purge that was interrupted is finished by the next one", async () => {
  await writeFile(at("etc/bird/bird.conf"), config(""));
  await mkdir(at("etc/bird/.peerdeck-purge"));
  await execute("mv", [at("etc/bird/roa"), at("etc/bird/.peerdeck-purge/roa")]);
  await purge();
  expect(await remaining()).toEqual(own);
  await bird();
});
