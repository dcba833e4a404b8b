/** Charts in the browser: drawing, pointers, sizes. */
import type { Locator, Page } from "playwright";
import { describe, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import type { NodeSeries, TrafficSeries } from "../../src/contract/call-tables/sample-calls.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";
import { useDemo } from "./demo-scene.ts";
import { type OpenOptions, openPage } from "./open-page.ts";

const minuteMs = 60_000;

const demo = useDemo({ peerings: ["syd01"] });

const open = (options: OpenOptions = {}) => openPage(demo.url, { as: demo.participant, ...options });

/** No node responded between an hour and forty minutes ago. */
function isSilent(minute: number): boolean {
  return minute > 40 && minute < 60;
}

interface Samples {
  readonly series: NodeSeries;
  readonly traffic: TrafficSeries;
}

/** Samples of syd01 alone, one a minute, for three hours or between these two minutes. */
function threeHours(now: number, from = 179, to = 0, routesNow = 1181): Samples {
  const minutes = Array.from({ length: from - to + 1 }, (_, index) => from - index);
  const column = (valueAt: (minute: number) => number) =>
    minutes.map((minute) => (isSilent(minute) ? null : valueAt(minute)));
  const times = minutes.map((minute) => now - minute * minuteMs);
  const none = { cpu: [], memory: [], ipv4: [], ipv6: [] };
  const ofSydney = {
    cpu: column((minute) => minute / 2),
    memory: column(() => 30),
    ipv4: column((minute) => (minute === 0 ? routesNow : 1181)),
    ipv6: column(() => 1009),
  };
  return {
    series: {
      times,
      nodes: ["syd01", "per01", "sin01", "de01", "ny01", "za01"].map((node) =>
        Object.assign({ node }, node === "syd01" ? ofSydney : none),
      ),
    },
    traffic: {
      times,
      nodes: [{ node: "syd01", received: column(() => 125_000), sent: column(() => 12_500) }],
    },
  };
}

async function withSamples(page: Page, samples: () => Samples | Promise<Samples>): Promise<void> {
  await page.route(`**${calls.getNodeSeries.path}`, async (route) =>
    route.fulfill({ json: (await samples()).series }),
  );
  await page.route(`**${calls.getTrafficSeries.path}`, async (route) =>
    route.fulfill({ json: (await samples()).traffic }),
  );
}

const chart = (page: Page, name: string) => page.getByRole("img", { name: new RegExp(`^${name}:`) });
const rows = (page: Page, caption: string) =>
  page
    .getByRole("table", { name: `${caption}, last 3 hours` })
    .getByRole("row")
    .allInnerTexts();

/** The positions of the chart's columns that contain a colour, as fractions of its width. */
function paintedColumns(drawn: Locator, colour: readonly [number, number, number]): Promise<number[]> {
  return drawn.locator("canvas").evaluate((canvas, [red, green, blue]) => {
    if (!(canvas instanceof HTMLCanvasElement)) throw new Error("not a canvas");
    const { width, height } = canvas;
    // A copy for frequent reads: the browser warns about reads of the original.
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    if (copy === null) throw new Error("there is no canvas to copy to");
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    const painted = new Set<number>();
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      const [r = 0, g = 0, b = 0, alpha = 0] = data.subarray(4 * pixel, 4 * pixel + 4);
      const near = Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue) < 24;
      if (near && alpha > 200) painted.add(pixel % width);
    }
    return [...painted].toSorted((one, other) => one - other).map((x) => x / width);
  }, colour);
}

/** The first line in the light scheme. */
const blue = [0x2b, 0x57, 0xc9] as const;

describe("charts", () => {
  test("keep their positions while they load, draw the samples, leave gaps, show values at the pointer, and follow width and scheme", async () => {
    const page = await open({ viewport: { width: 1280, height: 900 } });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await withSamples(page, () => released.then(() => threeHours(Date.now())));
    const title = page.getByRole("heading", { name: "syd01 - iface AS4242420001" });
    const places = async () => {
      const boxes = [await page.getByRole("table").first().boundingBox(), await title.boundingBox()];
      return boxes.map((box) => box && Math.round(box.y));
    };
    await page.goto("/manager?view=nodes");
    await title.waitFor();
    const loading = await places();
    release();
    const cpu = chart(page, "Node CPU usage");
    await cpu.locator("canvas").waitFor();
    await expect.poll(async () => (await paintedColumns(cpu, blue)).length).toBeGreaterThan(100);
    await chart(page, "Traffic, syd01 - iface AS4242420001").locator("canvas").waitFor();
    expect(await places()).toEqual(loading);
    const columns = await paintedColumns(cpu, blue);
    const steps = columns.slice(1).map((at, index) => at - (columns[index] ?? 0));
    const widest = Math.max(...steps);
    // Twenty-one minutes of a hundred and eighty, and slightly less of the width, because the axis needs space.
    expect(widest).toBeGreaterThan(0.08);
    expect(widest).toBeLessThan(0.13);
    expect((await rows(page, "Node CPU usage"))[1]).toBe("syd01.demo.dn42\t0.0%\t0.0 to 89.5%");

    const over = cpu.locator(".u-over");
    const box = await over.boundingBox();
    if (!box) throw new Error("the chart has no place");
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await expect.poll(async () => (await rows(page, "Node CPU usage"))[0]).toMatch(/^Node\tAt \d\d:\d\d\t/);
    expect(Number((await rows(page, "Node CPU usage"))[1]?.match(/\t([\d.]+)%/)?.[1])).toBeCloseTo(45, 0);
    await page.mouse.move(box.x + (box.width * 130) / 180, box.y + 20);
    await expect
      .poll(async () => (await rows(page, "Node CPU usage"))[1])
      .toMatch(/^syd01\.demo\.dn42\tno data\t/);
    await page.mouse.move(5, 5);
    await expect.poll(async () => (await rows(page, "Node CPU usage"))[0]).toBe("Node\tLatest\tRange");
    expect((await rows(page, "Traffic, syd01 - iface AS4242420001")).slice(1)).toEqual([
      "Received from you\t1.00 Mbit/s\t1.00 Mbit/s",
      "Sent to you\t100 kbit/s\t100 kbit/s",
    ]);

    // The charts follow the width and the colour scheme.
    const { height } = (await cpu.locator("canvas").boundingBox()) ?? {};
    await page.setViewportSize({ width: 320, height: 740 });
    const narrow = async () => (await cpu.locator("canvas").boundingBox()) ?? box;
    await expect.poll(async () => (await narrow()).width).toBeLessThan(280);
    expect((await narrow()).height).toBe(height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    // No table is wider than its place, either.
    expect(
      await page
        .getByRole("table")
        .evaluateAll((all) =>
          all.filter((table) => table.clientWidth > (table.parentElement?.clientWidth ?? 0)),
        ),
    ).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(async () => (await paintedColumns(cpu, [0x86, 0xab, 0xff])).length).toBeGreaterThan(50);
  });

  test.each(
    oneOfCommit([
      { what: "a few samples at the end of three hours", minutes: [5, 0], columns: 3, from: 0.9 },
      { what: "a single sample as a dot", minutes: [89, 89], columns: 2, from: 0 },
    ]),
  )("draw $what", async ({ minutes: [first, last], columns, from }) => {
    const page = await open({ viewport: { width: 1280, height: 900 } });
    await withSamples(page, () => threeHours(Date.now(), first, last));
    await page.goto("/manager?view=nodes");
    const cpu = chart(page, "Node CPU usage");
    await cpu.locator("canvas").waitFor();
    await expect.poll(async () => (await paintedColumns(cpu, blue)).length).toBeGreaterThan(columns);
    expect(Math.min(...(await paintedColumns(cpu, blue)))).toBeGreaterThan(from);
  });

  test("show values under a finger without blocking the page's scroll", async () => {
    const page = await open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await withSamples(page, () => threeHours(Date.now()));
    await page.goto("/manager?view=nodes");
    const over = chart(page, "Node CPU usage").locator(".u-over");
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    if (!box) throw new Error("the chart has no place");
    const at = (share: number) => ({ x: box.x + box.width * share, y: box.y + 40 });
    const session = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints });
    const value = async () =>
      Number((await rows(page, "Node CPU usage"))[1]?.match(/\t([\d.]+)%/)?.[1] ?? Number.NaN);
    await touch("touchStart", [at(0.2)]);
    await expect.poll(value).toBeCloseTo(72, -1);
    for (const share of [0.25, 0.3, 0.4, 0.5]) await touch("touchMove", [at(share)]);
    await expect.poll(value).toBeCloseTo(45, -1);
    await touch("touchEnd", []);
    expect(await over.evaluate((element) => getComputedStyle(element).touchAction)).toBe("pan-y");
  });

  test("add new samples while the view is open", async () => {
    const page = await open({ ownTab: true });
    await page.clock.install();
    const start = Date.now();
    let gathered = threeHours(start);
    await withSamples(page, () => gathered);
    await page.goto("/manager?view=stats");
    await page.getByRole("cell", { name: "1,181" }).first().waitFor();
    await expect
      .poll(async () => (await rows(page, "Total routes over IPv4"))[1])
      .toBe("syd01.demo.dn42\t1,181\t1,181");
    gathered = threeHours(start, 179, 0, 900);
    await page.clock.runFor(31_000);
    await expect
      .poll(async () => (await rows(page, "Total routes over IPv4"))[1])
      .toBe("syd01.demo.dn42\t900\t900 to 1,181");
    await page.getByText(/^Last sample: ([3-9]\d s|\d min) ago$/).waitFor();
  });
});
