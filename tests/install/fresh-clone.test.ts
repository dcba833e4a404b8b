/** The two commands of the README, in a clone of this commit, with the npm and Node.js that people have. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isInShareOfCommit, oneOfCommit } from "../support/share-of-commit.ts";
import { isResponding, openRequest } from "./open-request.ts";
import { waitFor } from "../support/wait-for.ts";
import { type Checkout, cloneCommit } from "./checkout.ts";
import { newestPair, type NpmPair, npmPairs, oldestPair, shellWith } from "./npm-pair.ts";

describe.each(oneOfCommit(npmPairs))("npm $npm on Node.js $node", (own) => {
  // It starts what the first one has installed.
  const other = replacesItself(own) ? oldestPair : newestPair;
  let checkout: Checkout;
  beforeAll(async () => {
    checkout = await cloneCommit(await shellWith(own));
    // An installation takes most of a minute of a processor: one in three commits, and all of them with EVERY_CASE=1.
    if (isInShareOfCommit("an installation"))
      expect(await checkout.run("npm", "ci", "--prefer-offline")).toMatchObject({ code: 0 });
    else await checkout.copyFromRepository("node_modules");
    // With one of three commits the first start builds the app. It is the same build as this repository's.
    if (!isInShareOfCommit("the build of a clone"))
      for (const build of ["build/web", "build/programs"]) await checkout.copyFromRepository(build);
  });
  afterAll(async () => checkout[Symbol.asyncDispose]());

  /** npm, the server, and the launcher where Node.js cannot replace it. Some of npm's versions link the project's Node.js. */
  const countProcesses = (shell: NpmPair) =>
    replacesItself(shell) || checkout.has("node_modules/.bin/node") ? 2 : 3;

  /** Starts the server, and stops it during a request. Returns how npm ended. */
  async function startAndStop(shell: NpmPair, receiver: "npm" | "all", signal: NodeJS.Signals) {
    await using running = await checkout.start(await shellWith(shell));
    const response = await fetch(running.url);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('id="root"')]);
    expect(await running.processes()).toHaveLength(countProcesses(shell));
    const request = await openRequest(running.port);
    running.kill(receiver, signal);
    await waitFor(async () => expect(await isResponding(running.url)).toBe(false));
    expect(await request.finish()).toMatch(/HTTP\/1\.1 4\d\d [^]*"message"/);
    const ending = await running.exited;
    await waitFor(async () => expect(await running.processes()).toEqual([]));
    return ending;
  }

  test("npm start builds the app unless it is built, and serves it, until SIGTERM to npm", async () => {
    expect(await startAndStop(own, "npm", "SIGTERM")).toEqual([0, null]);
    expect(await checkout.run("git", "status", "--porcelain")).toEqual({ code: 0, output: "" });
  });

  test("a stop that takes too long ends all with the server's exit code", async () => {
    await using running = await checkout.start({ ...(await shellWith(other)), STOP_TIMEOUT_SECONDS: "1" });
    expect(await running.processes()).toHaveLength(countProcesses(other));
    await openRequest(running.port);
    running.kill("npm", "SIGINT");
    expect(await running.exited).toEqual([1, null]);
    await waitFor(async () => expect(await running.processes()).toEqual([]));
  });

  test("npm start says what a user who may not write cannot do", async () => {
    expect(await checkout.runAsOther("npm", "start")).toEqual({
      code: 1,
      output: expect.stringMatching(/^DATA_DIR data cannot be used \(EACCES: data\)/),
    });
    await checkout.withoutBuild(async (folder) => {
      expect(await checkout.runAsOther("npm", "start")).toEqual({
        code: 1,
        output: `The web app is not built, and this user may not write ${folder} (EACCES). Run npm run build as the checkout's owner.`,
      });
    });
  });

  describe("without what only builds the app", () => {
    beforeAll(async () => {
      expect(await checkout.run("npm", "prune", "--omit=dev")).toMatchObject({ code: 0 });
    });

    test("npm start says what is missing if there is no build", async () => {
      await checkout.withoutBuild(async () => {
        expect(await checkout.run("npm", "start")).toEqual({
          code: 1,
          output:
            "The web app is not built, and npm ci --omit=dev does not install what builds it. Run npm ci and npm run build, or copy build from a checkout of the same commit.",
        });
      });
    });

    // A terminal sends the signal to all of its processes, and npm and the launcher pass it on.
    test.each(
      oneOfCommit([
        ["SIGINT", other, [0, null]],
        ["SIGHUP", own, [null, "SIGHUP"]],
      ] as const),
    )("npm start serves the app, until %s to all", async (signal, shell, ending) => {
      expect(await startAndStop(shell, "all", signal)).toEqual(ending);
    });
  });
});

/** Whether this version of Node.js can replace its own process by another program. */
function replacesItself({ node }: NpmPair): boolean {
  return Number.parseInt(node, 10) >= 22;
}
