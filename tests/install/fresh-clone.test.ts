/** The two commands of the README, in a clone of this commit, with the npm and Node.js that people have. */
import { rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { oneOfCommit } from "../support/share-of-commit.ts";
import { isResponding, openRequest } from "./open-request.ts";
import { waitFor } from "../support/wait-for.ts";
import { type Checkout, cloneCommit } from "./checkout.ts";
import { type NpmPair, shellWith } from "./npm-pair.ts";

let checkout: Checkout;

/** Clones this commit and installs it for the tests of a block. */
function installWith(pair: NpmPair, ...args: readonly string[]): void {
  beforeAll(async () => {
    checkout = await cloneCommit(await shellWith(pair));
    const installed = await checkout.run("npm", "ci", "--prefer-offline", ...args);
    expect(installed).toMatchObject({ code: 0 });
  });
  afterAll(async () => checkout[Symbol.asyncDispose]());
}

/** @param processes how many run: npm, the server, and the launcher where Node.js cannot replace it */
function testStart(processes: 2 | 3): void {
  test("npm start serves the app", async () => {
    await using running = await checkout.start();
    const response = await fetch(running.url);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('id="root"')]);
    expect(await running.processes()).toHaveLength(processes);
    expect(await checkout.run("git", "status", "--porcelain")).toEqual({ code: 0, output: "" });
  });
}

function testStops(): void {
  test.each([
    ["SIGTERM", "npm"],
    ["SIGINT", "npm"],
    // A terminal sends the signal to all of its processes, and npm and the launcher pass it on.
    ["SIGINT", "all"],
    ["SIGHUP", "all"],
  ] as const)("%s to %s ends all after the request in progress", async (signal, receiver) => {
    await using running = await checkout.start();
    const request = await openRequest(running.port);
    running.kill(receiver, signal);
    await waitFor(async () => expect(await isResponding(running.url)).toBe(false));
    expect(await request.finish()).toMatch(/HTTP\/1\.1 4\d\d [^]*"message"/);
    expect(await running.exited).toEqual(signal === "SIGHUP" ? [null, signal] : [0, null]);
    await waitFor(async () => expect(await running.processes()).toEqual([]));
  });

  test("a stop that takes too long ends all with the server's exit code", async () => {
    await using running = await checkout.start({ STOP_TIMEOUT_SECONDS: "1" });
    await openRequest(running.port);
    running.kill("npm", "SIGTERM");
    expect(await running.exited).toEqual([1, null]);
    await waitFor(async () => expect(await running.processes()).toEqual([]));
  });
}

const withoutBuild =
  "The web app is not built, and npm ci --omit=dev does not install what builds it. Run npm ci and npm run build, or copy build/web from a checkout of the same commit.";

function testProduction(processes: 2 | 3): void {
  test("without a build, npm start says what is missing", async () => {
    expect(await checkout.run("npm", "start")).toEqual({ code: 1, output: withoutBuild });
  });
  describe("with a build", () => {
    beforeAll(() => checkout.copyBuild());
    testStart(processes);
  });
}

describe("npm 10.8.2 on Node.js 20, with all dependencies", () => {
  installWith({ npm: "10.8.2", node: "20.20.2" });
  testStart(3);
  testStops();

  test("npm start says what a user who may not write cannot do", async () => {
    expect(await checkout.runAsOther("npm", "start")).toEqual({
      code: 1,
      output: expect.stringMatching(/^DATA_DIR data cannot be used \(EACCES: data\)/),
    });
    const build = path.join(checkout.folder, "build");
    await rm(build, { recursive: true });
    expect(await checkout.runAsOther("npm", "start")).toEqual({
      code: 1,
      output: `The web app is not built, and this user may not write ${build} (EACCES). Run npm run build as the checkout's owner.`,
    });
  });
});

const otherPairs = [
  { pair: { npm: "9.2.0", node: "18.20.8" }, processes: 3 },
  { pair: { npm: "10.9.4", node: "22.23.3" }, processes: 2 },
  { pair: { npm: "11.0.0", node: "24.21.0" }, processes: 2 },
  // It makes node_modules/.bin/node.
  { pair: { npm: "12.2.1", node: "24.21.0" }, processes: 2 },
] as const;

// An installation takes a minute, so one of them with each commit, and all with EVERY_CASE=1.
describe.each(oneOfCommit(otherPairs))("npm $pair.npm on Node.js $pair.node", ({ pair, processes }) => {
  installWith(pair, "--omit=dev");
  testProduction(processes);
  describe("when it stops", () => {
    testStops();
  });
});
