/**
 * `npm run bench:web`: measures how soon the built app paints and how fast it changes screens, on a slow phone. Prints
 * figures, most of them as ratios within one run, without asserting them.
 */
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { launchBrowser } from "../../e2e/browser.ts";
import { compareWithTarget, median, formatMs, formatTable, worst } from "./figures.ts";
import { openSite } from "./web-site.ts";
import { firstRouteSize } from "./web-size.ts";
import { type Paints, type Visits, measureVisits } from "./web-visits.ts";
import { changeRoutes } from "./web-routes.ts";

function print(text: string): void {
  process.stdout.write(text);
}

const { values } = parseArgs({
  options: { runs: { type: "string", default: "9" }, changes: { type: "string", default: "20" } },
});
const runs = Number(values.runs);

print(`${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, `);
print(`load ${loadavg()[0]?.toFixed(1)} at the start; medians of ${runs} runs\n\n`);

await using browser = await launchBrowser("complete");
await using withShell = await openSite("with the static shell");
await using withoutShell = await openSite("without the static shell");

const visits: Record<"shell" | "bare", Visits[]> = { shell: [], bare: [] };
for (let run = 0; run < runs; run += 1) {
  // Alternates, so that load on the machine affects both equally.
  visits.shell.push(await measureVisits(browser, withShell.url));
  visits.bare.push(await measureVisits(browser, withoutShell.url));
}
const of = (which: keyof typeof visits, visit: keyof Visits, what: keyof Paints) =>
  median(visits[which].map((each) => each[visit][what]));
const lines: ReadonlyArray<readonly [keyof Visits, string]> = [
  ["first", "first visit, slow 4G, a quarter of the CPU"],
  ["second", "second visit, no network"],
  ["slowSecond", "second visit, no network, a quarter of the CPU"],
];
print("Milliseconds until the first paint, with and without the static shell:\n");
print(
  formatTable([
    ["", "first content", "heading", "first content, no shell", "heading, no shell"],
    ...lines.map(([visit, name]) => [
      name,
      formatMs(of("shell", visit, "content")),
      formatMs(of("shell", visit, "heading")),
      formatMs(of("bare", visit, "content")),
      formatMs(of("bare", visit, "heading")),
    ]),
  ]),
);
const ratio = (part: number, whole: number) => Math.round((part / whole) * 1000) / 1000;
const firstContent = of("shell", "first", "content");
const firstHeading = of("shell", "first", "heading");
print("\nAs ratios:\n");
print(
  compareWithTarget(
    "second visit's first content : first visit's",
    ratio(of("shell", "second", "content"), firstContent),
    0.12,
    "",
  ),
);
print(
  `          the same with a quarter of the CPU: ${ratio(of("shell", "slowSecond", "content"), firstContent)}\n`,
);
print(
  `          second visit's heading : first visit's: ${ratio(of("shell", "second", "heading"), firstHeading)}\n`,
);
print(
  `          first visit's first content with the shell : without: ${ratio(firstContent, of("bare", "first", "content"))}\n`,
);

print(
  "\nFrom a click to the new screen's heading painted, at a quarter of the CPU's speed, with cached data:\n",
);
const changes = await changeRoutes(browser, withShell, Number(values.changes));
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

const size = await firstRouteSize(withShell.url);
print(`\nThe first route: a page of ${(size.page / 1000).toFixed(1)} kB, gzip, and its scripts.\n`);
print(compareWithTarget("scripts of the first route", size.scripts / 1000, 165, " kB"));
