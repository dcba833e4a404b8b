/** Serves the last build, with or without its static shell, on the demo with a participant who has peerings. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calls } from "#contract/calls.ts";
import { demoServer } from "../../integration/server/demo-server.ts";
import { waitForTask, type Participant, peerUpdate, signUp } from "../../integration/server/participant.ts";
import { repository } from "../../support/repository.ts";

export interface Site extends AsyncDisposable {
  readonly url: string;
  readonly participant: Participant;
}

const shell = /<div id="shell"[\s\S]*<\/div>\s*(?=<div id="root">)/;

export async function openSite(which: "with the static shell" | "without the static shell"): Promise<Site> {
  await using parts = new AsyncDisposableStack();
  const webDir = await mkdtemp(join(tmpdir(), "peerdeck-bench-web-"));
  parts.defer(() => rm(webDir, { recursive: true, force: true }));
  await cp(join(repository, "build/web"), webDir, { recursive: true });
  if (which === "without the static shell") {
    const page = join(webDir, "index.html");
    const html = await readFile(page, "utf8");
    if (!shell.test(html)) throw new Error("index.html has no static shell");
    await writeFile(page, html.replace(shell, ""));
  }
  const server = parts.use(await demoServer({ webDir }));
  const participant = await signUp(server.url, "4242420001");
  for (const node of ["de01", "syd01"]) {
    const body = peerUpdate({ node });
    const { taskID } = await participant.call(calls.updatePeerConfig, [{ username: participant.asn }, body]);
    await waitForTask(participant, taskID);
  }
  const all = parts.move();
  return { url: server.url, participant, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
