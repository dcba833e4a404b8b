/**
 * `npm run bench:web`: how soon the built app shows something, and how fast it goes from screen to screen, on a slow
 * phone. Prints figures, most of them ratios of what one run has measured, and asserts none of them.
 */
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { launchBrowser } from "../e2e/browser.ts";
import { aim, median, ms, table, worst } from "./figures.ts";
import { openSite } from "./web-site.ts";
import { firstRouteSize } from "./web-size.ts";
import { type Paints, type Visits, visitAgain } from "./web-visits.ts";
import { changeRoutes } from "./web-routes.ts";

function say(text: string): void {
  process.stdout.write(text);
}

const { values } = parseArgs({
  options: { runs: { type: "string", default: "9" }, changes: { type: "string", default: "20" } },
});
const runs = Number(values.runs);

say(`${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, `);
say(`load ${loadavg()[0]?.toFixed(1)} before the start; medians of ${runs} runs\n\n`);

await using browser = await launchBrowser();
await using withShell = await openSite("with the static shell");
await using withoutShell = await openSite("without the static shell");

const visits: Record<"shell" | "bare", Visits[]> = { shell: [], bare: [] };
for (let run = 0; run < runs; run += 1) {
  // Turn by turn, so that the noise of the machine meets both.
  visits.shell.push(await visitAgain(browser, withShell.url));
  visits.bare.push(await visitAgain(browser, withoutShell.url));
}
const of = (which: keyof typeof visits, visit: keyof Visits, what: keyof Paints) =>
  median(visits[which].map((each) => each[visit][what]));
const lines: ReadonlyArray<readonly [keyof Visits, string]> = [
  ["first", "first visit, slow 4G, a quarter of the CPU"],
  ["second", "second visit, no network"],
  ["slowSecond", "second visit, no network, a quarter of the CPU"],
];
say("Milliseconds until something is painted, with the static shell and without:\n");
say(
  table([
    ["", "first content", "heading", "bare first content", "bare heading"],
    ...lines.map(([visit, name]) => [
      name,
      ms(of("shell", visit, "content")),
      ms(of("shell", visit, "heading")),
      ms(of("bare", visit, "content")),
      ms(of("bare", visit, "heading")),
    ]),
  ]),
);
const ratio = (part: number, whole: number) => Math.round((part / whole) * 1000) / 1000;
const firstContent = of("shell", "first", "content");
const firstHeading = of("shell", "first", "heading");
say("\nAs ratios:\n");
say(
  aim(
    "second visit's first content : first visit's",
    ratio(of("shell", "second", "content"), firstContent),
    0.12,
    "",
  ),
);
say(
  `          the same with a quarter of the CPU: ${ratio(of("shell", "slowSecond", "content"), firstContent)}\n`,
);
say(
  `          second visit's heading : first visit's: ${ratio(of("shell", "second", "heading"), firstHeading)}\n`,
);
say(
  `          first visit's first content with the shell : without: ${ratio(firstContent, of("bare", "first", "content"))}\n`,
);

say("\nFrom a click to the new screen's heading painted, at a quarter of the CPU's speed, data at hand:\n");
const changes = await changeRoutes(browser, withShell, Number(values.changes));
say(
  table([
    ["", "ms"],
    ...changes.map(({ to, took }) => [to, ms(took)]),
    ["median", ms(median(changes.map(({ took }) => took)))],
  ]),
);
say(aim(`worst of ${changes.length} route changes`, worst(changes.map(({ took }) => took)), 100, " ms"));

const size = await firstRouteSize(withShell.url);
say(
  `\nThe first route: a page of ${(size.page / 1000).toFixed(1)} kB, gzip, and the scripts that it asks for.\n`,
);
say(aim("scripts of the first route", size.scripts / 1000, 165, " kB"));
