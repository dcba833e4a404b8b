/**
 * `npm run bench:web`: measures how soon the built app paints and how fast it changes screens, on a slow phone. Prints
 * figures, most of them as ratios within one run, without asserting them.
 */
import { parseArgs } from "node:util";
import { launchBrowser } from "../../e2e/browser.ts";
import { demoServer } from "../../integration/server/demo-server.ts";
import { deployPeering, signUp } from "../../integration/server/participant.ts";
import {
  compareWithTarget,
  describeMachine,
  formatMs,
  formatTable,
  median,
  print,
  worst,
} from "./figures.ts";
import { type Paints, type Visits, measureVisits } from "./web-visits.ts";
import { changeRoutes } from "./web-routes.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "9" },
    changes: { type: "string", default: "20" },
    /** Does not slow the CPU down, in the smaller browser: shows that the tool works, and its figures mean nothing. */
    hurry: { type: "boolean", default: false },
  },
});
const runs = Number(values.runs);
const slowness = values.hurry ? 1 : 4;

print(`${describeMachine()}; medians of ${runs} runs\n\n`);

await using browser = await launchBrowser(values.hurry ? "shell" : "complete");
await using server = await demoServer();

const visits: Visits[] = [];
for (let run = 0; run < runs; run += 1) visits.push(await measureVisits(browser, server.url, slowness));
const of = (visit: keyof Visits, what: keyof Paints) => median(visits.map((each) => each[visit][what]));
const lines: ReadonlyArray<readonly [keyof Visits, string]> = [
  ["first", "first visit, slow 4G, a quarter of the CPU"],
  ["second", "second visit, no network"],
  ["slowSecond", "second visit, no network, a quarter of the CPU"],
];
print("Milliseconds until the first paint:\n");
print(
  formatTable([
    ["", "first content", "heading"],
    ...lines.map(([visit, name]) => [name, formatMs(of(visit, "content")), formatMs(of(visit, "heading"))]),
  ]),
);
const ratio = (part: number, whole: number) => Math.round((part / whole) * 1000) / 1000;
const firstContent = of("first", "content");
const firstHeading = of("first", "heading");
print("\nAs ratios:\n");
print(
  compareWithTarget(
    "second visit's first content : first visit's",
    ratio(of("second", "content"), firstContent),
    0.12,
    "",
  ),
);
print(`          the same with a quarter of the CPU: ${ratio(of("slowSecond", "content"), firstContent)}\n`);
print(`          second visit's heading : first visit's: ${ratio(of("second", "heading"), firstHeading)}\n`);
print(
  "\nFrom a click to the new screen's heading painted, at a quarter of the CPU's speed, with cached data:\n",
);
const participant = await signUp(server.url, "4242420001");
for (const node of ["de01", "syd01"]) await deployPeering(participant, node);
const options = { participant, count: Number(values.changes), slowness };
const changes = await changeRoutes(browser, server.url, options);
print(
  formatTable([
    ["", "ms"],
    ...changes.map(({ to, durationMs }) => [to, formatMs(durationMs)]),
    ["median", formatMs(median(changes.map(({ durationMs }) => durationMs)))],
  ]),
);
print(
  compareWithTarget(
    `worst of ${changes.length} route changes`,
    worst(changes.map(({ durationMs }) => durationMs)),
    100,
    " ms",
  ),
);
