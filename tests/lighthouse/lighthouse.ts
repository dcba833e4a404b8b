/**
 * `npm run lighthouse`: Lighthouse's marks for the built app and the demo, as on a phone with a slow network.
 * Ends with 1 where a screen misses its marks, and names the audits that cost them.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import lighthouse, { type Result } from "lighthouse";
import { chromium } from "playwright";
import { calls } from "../../src/contract/calls.ts";
import { table } from "../bench/figures.ts";
import { browserFlags } from "../e2e/browser.ts";
import { demoServer } from "../integration/server/demo-server.ts";
import { ended, peerUpdate, signUp } from "../integration/server/participant.ts";
import { freePort } from "../setup/free-port.ts";
import { serveTiles } from "./tile-server.ts";

const tileHost = "tile.openstreetmap.org";
const wanted = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 } as const;
/** On a busy machine Lighthouse now and then loses a page's beginning, and says itself that it is to be run again. */
const attempts = 3;
const screens = ["/", "/login", "/map", "/manager"] as const;

interface Marks {
  readonly screen: string;
  /** 0 to 100, and NaN where Lighthouse could not tell. */
  readonly scores: Readonly<Record<keyof typeof wanted, number>>;
  /** What costs points, by category. */
  readonly faults: readonly string[];
  /** Milliseconds as on the slow phone, and the layout's shift. */
  readonly metrics: Readonly<Record<string, string>>;
}

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    screen: { type: "string", multiple: true },
    /** A folder for Lighthouse's whole reports, as JSON. */
    save: { type: "string" },
  },
});
const asked = values.screen ?? screens;

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
  executablePath: "/usr/bin/chromium",
  args: [
    ...browserFlags,
    `--remote-debugging-port=${port}`,
    `--host-resolver-rules=MAP ${tileHost} 127.0.0.1:${tiles.port}`,
    `--ignore-certificate-errors-spki-list=${tiles.keyHash}`,
  ],
});
stack.use(browser);
await signInWithPeerings();

say(`${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, `);
say(
  `load ${loadavg()[0]?.toFixed(1)} before the start; ${values.runs} runs each, the median by performance\n\n`,
);
const marks: Marks[] = [];
for (const screen of asked) marks.push(await medianOf(screen, Number(values.runs)));
say(
  table([
    ["", ...Object.keys(wanted), ...Object.keys(marks[0]?.metrics ?? {})],
    ...marks.map(({ screen, scores, metrics }) => [
      screen,
      ...Object.values(scores).map(String),
      ...Object.values(metrics),
    ]),
  ]),
);
say(`\n  wanted: ${JSON.stringify(wanted)}\n`);
for (const { screen, scores, faults } of marks) {
  const missed = categories().filter((category) => !(scores[category] >= wanted[category]));
  if (missed.length > 0) process.exitCode = 1;
  for (const category of missed) say(`\n${screen} misses ${category}\n`);
  for (const fault of faults) if (missed.some((category) => fault.startsWith(category))) say(`  ${fault}\n`);
}

async function signInWithPeerings(): Promise<void> {
  const participant = await signUp(server.url, "4242420001");
  for (const node of ["de01", "syd01"]) {
    const { taskID } = await participant.call(calls.updatePeerConfig, [
      { username: participant.asn },
      peerUpdate({ node }),
    ]);
    await ended(participant, taskID);
  }
  const [name = "", value = ""] = participant.cookie.split("=");
  await browser.addCookies([{ name, value, url: server.url }]);
}

async function medianOf(screen: string, runs: number): Promise<Marks> {
  const all: Marks[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await marksOf(screen));
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
  });
  if (!result) throw new Error(`Lighthouse says nothing about ${screen}.`);
  const { runtimeError } = result.lhr;
  if (!runtimeError) return result.lhr;
  if (attempt === attempts) throw new Error(`${screen}: ${runtimeError.message}`);
  return report(screen, attempt + 1);
}

async function marksOf(screen: string): Promise<Marks> {
  const lhr = await report(screen);
  if (values.save !== undefined) {
    const name = `lighthouse${screen.replaceAll("/", "-")}-${Date.now()}.json`;
    await writeFile(join(values.save, name), JSON.stringify(lhr, null, 2));
  }
  const scores = Object.fromEntries(
    categories().map((category) => [category, Math.round((lhr.categories[category]?.score ?? NaN) * 100)]),
  ) as Marks["scores"];
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
  // What this machine's CPU is worth while it is measured; a phone's is a quarter of that.
  const machine = { CPU: Math.round(lhr.environment.benchmarkIndex).toString() };
  return { screen, scores, faults: faultsOf(lhr), metrics: { ...metrics, ...machine } };
}

function faultsOf({ categories: found, audits }: Result): readonly string[] {
  return Object.entries(found).flatMap(([category, { auditRefs }]) =>
    auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id];
      if (!audit || weight === 0 || audit.score === null || audit.score >= 0.9) return [];
      const details = audit.details && "items" in audit.details ? JSON.stringify(audit.details.items) : "";
      return [`${category}: ${audit.title} (${audit.displayValue ?? audit.score}) ${details.slice(0, 600)}`];
    }),
  );
}

function categories(): Array<keyof typeof wanted> {
  return Object.keys(wanted) as Array<keyof typeof wanted>;
}

function say(text: string): void {
  process.stdout.write(text);
}
