/**
 * Records what several versions of BIRD print, for the tests of the agent's parsers: `npm run record:bird`. Arguments
 * choose versions, and cases by the start of their names: `npm run record:bird -- 2.0.12 limit`.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { findJudgement } from "../../fixtures/router-outputs/judgements.ts";
import { readRecordings, writeRecordings } from "../../support/recording-files.ts";
import { repository } from "../../support/repository.ts";
import { type BirdBuild, birdReleases, fetchBird } from "./bird-packages.ts";
import { birdErrorCases, shutdownTextCases } from "./cases/bird-errors.ts";
import { droppedRouteCases } from "./cases/dropped-routes.ts";
import { endingCases } from "./cases/ending.ts";
import { establishedCases } from "./cases/established.ts";
import { gracefulRestartCases } from "./cases/graceful-restart.ts";
import { limitRecorderCases } from "./cases/limits.ts";
import { notificationCases } from "./cases/notifications.ts";
import { operatorCases } from "./cases/operator.ts";
import { replyCases } from "./cases/replies.ts";
import { stateCases } from "./cases/states.ts";
import { openNetwork, type RecordingNetwork } from "./network.ts";
import { type RecorderCase, runCase } from "./scene.ts";

const cases: readonly RecorderCase[] = [
  ...establishedCases,
  ...stateCases,
  ...endingCases,
  ...gracefulRestartCases,
  ...notificationCases,
  ...birdErrorCases,
  ...shutdownTextCases,
  ...droppedRouteCases,
  ...limitRecorderCases,
  ...operatorCases,
  ...replyCases,
];
/** Some states last a second. A busy machine may miss one. */
const attempts = 3;
const builds = path.join(repository, "build/birds");
const outputs = path.join(repository, "tests/fixtures/router-outputs");
const recordings = await readRecordings(outputs);

const { positionals } = parseArgs({ allowPositionals: true });
const versions = positionals.filter((each) => /^[0-9]/.test(each));
const prefixes = positionals.filter((each) => !/^[0-9]/.test(each));

function isChosen({ name, versions: possible }: RecorderCase, { version }: BirdBuild): boolean {
  if (possible?.test(version) === false) return false;
  return prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
}

function save(version: string, name: string, text: string): void {
  if (!recordings.has(version)) recordings.set(version, new Map());
  recordings.get(version)?.set(name, text);
}

async function record(each: RecorderCase, network: RecordingNetwork, build: BirdBuild): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const differences = await runCase(each, { network, build, save, findJudgement }).catch(
      (error: unknown) => [String(error)],
    );
    const result = differences.length === 0 ? "recorded" : differences.join(", ");
    process.stdout.write(`${build.version} ${each.name}: ${result}\n`);
    if (differences.length === 0) return;
  }
  process.exitCode = 1;
}

async function recordVersion(build: BirdBuild): Promise<void> {
  await using network = await openNetwork();
  for (const each of cases) if (isChosen(each, build)) await record(each, network, build);
}

const chosen: BirdBuild[] = [];
for (const release of birdReleases) {
  const build = await fetchBird(release, builds);
  if (versions.length === 0 || versions.includes(build.version)) chosen.push(build);
}
// BIRD spends most of the time waiting, so the versions run at the same time.
await Promise.all(chosen.map(recordVersion));
await writeRecordings(outputs, recordings);
