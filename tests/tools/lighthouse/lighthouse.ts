/**
 * `npm run lighthouse`: prints Lighthouse's scores for the built app and the demo, on a phone with a slow network.
 * Exits with 1 if a screen misses a target score, and lists the audits that lowered it. With `--hurry` it only shows that the tool works.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import lighthouse, { type Result } from "lighthouse";
import { chromium } from "playwright";
import { describeMachine, formatTable, print } from "../bench/figures.ts";
import { browserFlags, browserPrograms } from "../../e2e/browser.ts";
import { demoServer } from "../../integration/server/demo-server.ts";
import { deployPeering, signUp } from "../../integration/server/participant.ts";
import { freePort } from "../../support/free-port.ts";
import { serveTiles } from "./tile-server.ts";

const tileHost = "tile.openstreetmap.org";
const targetScores = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 } as const;
/** On a busy machine, Lighthouse sometimes misses the start of a page load, and reports that it must be run again. */
const attempts = 3;
const screens = ["/", "/login", "/map", "/manager"] as const;

interface ScreenScores {
  readonly screen: string;
  /** 0 to 100, or NaN if Lighthouse could not compute the score. */
  readonly scores: Readonly<Record<keyof typeof targetScores, number>>;
  /** Audits with low scores, with their categories. */
  readonly lowScores: readonly string[];
  /** Times on the slow phone, and the cumulative layout shift. */
  readonly metrics: Readonly<Record<string, string>>;
}

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    screen: { type: "string", multiple: true },
    /** Measures without slowing down, once, in the smaller browser, and accepts any score. */
    hurry: { type: "boolean", default: false },
    /** A folder for Lighthouse's complete reports, as JSON. */
    save: { type: "string" },
  },
});
const selectedScreens = values.screen ?? screens;
const runs = values.hurry ? 1 : Number(values.runs);

await using stack = new AsyncDisposableStack();
const [server, tiles, port, profile] = await Promise.all([
  demoServer(),
  serveTiles(tileHost),
  freePort(),
  mkdtemp(join(tmpdir(), "peerdeck-lighthouse-")),
]);
stack.use(server);
stack.use(tiles);
stack.defer(() => rm(profile, { recursive: true, force: true }));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: browserPrograms[values.hurry ? "shell" : "complete"],
  args: [
    ...browserFlags,
    `--remote-debugging-port=${port}`,
    `--host-resolver-rules=MAP ${tileHost} 127.0.0.1:${tiles.port}`,
    `--ignore-certificate-errors-spki-list=${tiles.keyHash}`,
  ],
});
stack.use(browser);
if (selectedScreens.some((screen) => screen.startsWith("/manager"))) await logInWithPeerings();

print(`${describeMachine()}; ${runs} runs each, the median by performance\n\n`);
const results: ScreenScores[] = [];
for (const screen of selectedScreens) results.push(await measureMedian(screen));
print(
  formatTable([
    ["", ...Object.keys(targetScores), ...Object.keys(results[0]?.metrics ?? {})],
    ...results.map(({ screen, scores, metrics }) => [
      screen,
      ...Object.values(scores).map(String),
      ...Object.values(metrics),
    ]),
  ]),
);
print(`\n  targets: ${JSON.stringify(targetScores)}\n`);
for (const { screen, scores, lowScores } of results) {
  const missed = categories().filter((category) => !(scores[category] >= targetScores[category]));
  if (missed.length > 0 && !values.hurry) process.exitCode = 1;
  for (const category of missed) print(`\n${screen} misses ${category}\n`);
  for (const audit of lowScores)
    if (missed.some((category) => audit.startsWith(category))) print(`  ${audit}\n`);
}

async function logInWithPeerings(): Promise<void> {
  const participant = await signUp(server.url, "4242420001");
  for (const node of ["de01", "syd01"]) await deployPeering(participant, node);
  const [name = "", value = ""] = participant.cookie.split("=");
  await browser.addCookies([{ name, value, url: server.url }]);
}

async function measureMedian(screen: string): Promise<ScreenScores> {
  const all: ScreenScores[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await measureScreen(screen));
  const sorted = all.toSorted((a, b) => a.scores.performance - b.scores.performance);
  const middle = sorted[Math.floor(runs / 2)];
  if (!middle) throw new Error("there was no run");
  return middle;
}

async function report(screen: string, attempt = 1): Promise<Result> {
  const result = await lighthouse(server.url + screen, {
    port,
    logLevel: "silent",
    onlyCategories: categories(),
    formFactor: "mobile",
    ...(values.hurry && { throttlingMethod: "provided", disableFullPageScreenshot: true }),
  });
  if (!result) throw new Error(`Lighthouse returned no result for ${screen}.`);
  const { runtimeError } = result.lhr;
  if (!runtimeError) return result.lhr;
  if (attempt === attempts) throw new Error(`${screen}: ${runtimeError.message}`);
  return report(screen, attempt + 1);
}

async function measureScreen(screen: string): Promise<ScreenScores> {
  const lhr = await report(screen);
  if (values.save !== undefined) {
    const name = `lighthouse${screen.replaceAll("/", "-")}-${Date.now()}.json`;
    await writeFile(join(values.save, name), JSON.stringify(lhr, null, 2));
  }
  const scores = Object.fromEntries(
    categories().map((category) => [category, Math.round((lhr.categories[category]?.score ?? NaN) * 100)]),
  ) as ScreenScores["scores"];
  const shown = {
    FCP: "first-contentful-paint",
    LCP: "largest-contentful-paint",
    TBT: "total-blocking-time",
    CLS: "cumulative-layout-shift",
    SI: "speed-index",
  };
  const metrics = Object.fromEntries(
    Object.entries(shown).map(([name, audit]) => [name, lhr.audits[audit]?.displayValue ?? "?"]),
  );
  // Lighthouse's benchmark of this machine's CPU during the run. The emulated phone has a quarter of it.
  const machine = { CPU: Math.round(lhr.environment.benchmarkIndex).toString() };
  return { screen, scores, lowScores: findLowScores(lhr), metrics: { ...metrics, ...machine } };
}

function findLowScores({ categories: found, audits }: Result): readonly string[] {
  return Object.entries(found).flatMap(([category, { auditRefs }]) =>
    auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id];
      if (!audit || weight === 0 || audit.score === null || audit.score >= 0.9) return [];
      const details = audit.details && "items" in audit.details ? JSON.stringify(audit.details.items) : "";
      return [`${category}: ${audit.title} (${audit.displayValue ?? audit.score}) ${details.slice(0, 600)}`];
    }),
  );
}

function categories(): Array<keyof typeof targetScores> {
  return Object.keys(targetScores) as Array<keyof typeof targetScores>;
}
