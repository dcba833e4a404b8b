/** A bare git repository on this machine, as the remote of the server's registry clone. */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { cp, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeRegistryFiles } from "../../src/server/registry/fixtures/registry-files.ts";

const run = promisify(execFile);

const environment = {
  PATH: process.env["PATH"],
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  ...Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((role) => [
      [`GIT_${role}_NAME`, "Registry"],
      [`GIT_${role}_EMAIL`, "registry@example.org"],
    ]),
  ),
};

/** The objects of a commit; null removes one. */
export type ObjectChanges = Readonly<Record<string, string | null>>;

export interface GitRemote extends AsyncDisposable {
  /** The path of the bare repository. */
  readonly url: string;
  /** The work tree from which commits are pushed. */
  readonly workTree: string;
  /** Changes objects and pushes the commit. Returns its hash. */
  commit(changes: ObjectChanges): Promise<string>;
  /** Commits everything that is in the work tree, and pushes it. */
  commitAll(): Promise<string>;
  /** Replaces the history with a single commit of these objects. */
  rewrite(objects: ObjectChanges): Promise<string>;
  /** Moves the repository away, or back. */
  setReachable(isReachable: boolean): Promise<void>;
}

/** A folder by its objects. Git runs six programs to create one, so later remotes with the same objects are copies. */
const templates = new Map<string, Promise<string>>();

/** Creates a remote whose first commit has these objects. */
export async function createGitRemote(objects: ObjectChanges): Promise<GitRemote> {
  const key = JSON.stringify(objects);
  const template = templates.get(key) ?? createTemplate(objects);
  templates.set(key, template);
  const folder = await createFolder();
  await cp(await template, folder, { recursive: true });
  return openRemote(folder);
}

function createFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "peerdeck-remote-"));
}

async function createTemplate(objects: ObjectChanges): Promise<string> {
  const folder = await createFolder();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const [bare, workTree] = [join(folder, "registry.git"), join(folder, "work")];
  await run("git", ["init", "--quiet", "--bare", "--initial-branch=master", bare], { env: environment });
  await run("git", ["init", "--quiet", "--initial-branch=master", workTree], { env: environment });
  // Files are committed as they are, whatever attributes a test commits.
  await writeFile(join(workTree, ".git/info/attributes"), "* -text -ident -filter -working-tree-encoding\n");
  await openRemote(folder).commit(objects);
  return folder;
}

function openRemote(folder: string): GitRemote {
  const url = join(folder, "registry.git");
  const workTree = join(folder, "work");
  const git = async (...args: readonly string[]) => {
    const { stdout } = await run("git", args, { cwd: workTree, env: environment });
    return stdout.trim();
  };

  async function change(changes: ObjectChanges): Promise<void> {
    const kept = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null);
    await writeRegistryFiles(workTree, Object.fromEntries(kept));
    for (const [name, text] of Object.entries(changes)) {
      if (text === null) await rm(join(workTree, "data", name));
    }
  }

  async function push(): Promise<string> {
    await git("add", "--all");
    await git("commit", "--quiet", "--allow-empty", "--message=change");
    await git("push", "--quiet", "--force", url, "HEAD:master");
    return git("rev-parse", "HEAD");
  }

  async function commit(changes: ObjectChanges): Promise<string> {
    await change(changes);
    return push();
  }

  return {
    url,
    workTree,
    commit,
    commitAll: push,
    async rewrite(newObjects) {
      await git("checkout", "--quiet", "--orphan", "rewritten");
      await git("rm", "-r", "--quiet", "--force", ".");
      return commit(newObjects);
    },
    setReachable: (isReachable) => (isReachable ? rename(`${url}.away`, url) : rename(url, `${url}.away`)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
