/** Charts and the contact form where they cross into the browser: drawing, pointers, sizes, a mail that arrives. */
import type { Browser, Locator, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import type { NodeSamples } from "../../src/contract/entities.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { ended, outbox, type Participant, peerUpdate, signUp } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { arriveAt, focused, tab, tabTo } from "./keyboard.ts";
import { visit, type VisitOptions } from "./visit.ts";
import { fill, submit } from "./wizard.ts";

const minuteMs = 60_000;

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
  participant = await signUp(server.url, "4242420001");
  const { asn, call } = participant;
  const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, peerUpdate({ node: "syd01" })]);
  expect((await ended(participant, taskID)).status).toBe("success");
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

async function open(options: VisitOptions = {}): Promise<Page> {
  const visited = await visit(browser, server.url, { as: participant, ...options });
  onTestFinished(async () => {
    await visited[Symbol.asyncDispose]();
    expect(visited.complaints).toEqual([]);
  });
  return visited.page;
}

/** Nobody answered between an hour and forty minutes ago. */
function silent(minute: number): boolean {
  return minute > 40 && minute < 60;
}

/** Three hours of syd01, a sample a minute, or only what lies between these minutes; nothing of the others. */
function threeHours(now: number, from = 179, to = 0, routesNow = 1181): NodeSamples[] {
  const minutes = Array.from({ length: from - to + 1 }, (_, index) => from - index);
  const samples = minutes.map((minute) => ({
    at: now - minute * minuteMs,
    cpuPercent: silent(minute) ? null : minute / 2,
    memoryPercent: silent(minute) ? null : 30,
    routes: silent(minute) ? null : { ipv4: minute === 0 ? routesNow : 1181, ipv6: 1009 },
  }));
  const traffic = minutes
    .filter((minute) => !silent(minute))
    .map((minute) => ({ at: now - minute * minuteMs, received: 125_000, sent: 12_500 }));
  return ["syd01", "per01", "sin01", "de01", "ny01", "za01"].map((node) =>
    node === "syd01" ? { node, samples, traffic } : { node, samples: [], traffic: null },
  );
}

async function withSamples(page: Page, answer: () => NodeSamples[]): Promise<void> {
  await page.route(`**${calls.getNodeSamples.path}`, (route) => route.fulfill({ json: answer() }));
}

const chart = (page: Page, name: string) => page.getByRole("img", { name: new RegExp(`^${name}:`) });
const rows = (page: Page, caption: string) =>
  page
    .getByRole("table", { name: `${caption}, last 3 hours` })
    .getByRole("row")
    .allInnerTexts();

/** Which of the chart's columns hold paint of a colour, as shares of its width from 0 to 1. */
function paintedColumns(drawn: Locator, colour: readonly [number, number, number]): Promise<number[]> {
  return drawn.locator("canvas").evaluate((canvas, [red, green, blue]) => {
    if (!(canvas instanceof HTMLCanvasElement)) throw new Error("not a canvas");
    const { width, height } = canvas;
    // A copy that is made to be read: the browser complains about the other kind.
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
  test("draw what was gathered, leave gaps, and let a pointer read values", async () => {
    const page = await open({ viewport: { width: 1280, height: 900 } });
    await withSamples(page, () => threeHours(Date.now()));
    await page.goto("/manager?view=nodes");
    const cpu = chart(page, "Node CPU usage");
    await cpu.locator("canvas").waitFor();
    await expect.poll(async () => (await paintedColumns(cpu, blue)).length).toBeGreaterThan(100);
    const columns = await paintedColumns(cpu, blue);
    const steps = columns.slice(1).map((at, index) => at - (columns[index] ?? 0));
    const widest = Math.max(...steps);
    // Twenty-one minutes of a hundred and eighty, and of the chart's width a little less: the axis takes some.
    expect(widest).toBeGreaterThan(0.08);
    expect(widest).toBeLessThan(0.13);
    expect((await rows(page, "Node CPU usage"))[1]).toBe("syd01\t0.0 %\t0.0 %\t89.5 %");

    const over = cpu.locator(".u-over");
    const box = await over.boundingBox();
    if (!box) throw new Error("the chart has no place");
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await expect.poll(async () => (await rows(page, "Node CPU usage"))[0]).toMatch(/^Node\tAt \d\d:\d\d\t/);
    expect(Number((await rows(page, "Node CPU usage"))[1]?.match(/\t([\d.]+) %/)?.[1])).toBeCloseTo(45, 0);
    await page.mouse.move(box.x + (box.width * 130) / 180, box.y + 20);
    await expect.poll(async () => (await rows(page, "Node CPU usage"))[1]).toMatch(/^syd01\tno data\t/);
    await page.mouse.move(5, 5);
    await expect
      .poll(async () => (await rows(page, "Node CPU usage"))[0])
      .toBe("Node\tLatest\tLowest\tHighest");
    expect((await rows(page, "Traffic, syd01 - iface AS4242420001")).slice(1)).toEqual([
      "Received from you\t1.00 Mbit/s\t1.00 Mbit/s\t1.00 Mbit/s",
      "Sent to you\t100 kbit/s\t100 kbit/s\t100 kbit/s",
    ]);
  });

  test("show little data as little, on an axis of three hours", async () => {
    const page = await open({ viewport: { width: 1280, height: 900 } });
    await withSamples(page, () => threeHours(Date.now(), 5));
    await page.goto("/manager?view=nodes");
    const cpu = chart(page, "Node CPU usage");
    await cpu.locator("canvas").waitFor();
    await expect.poll(async () => (await paintedColumns(cpu, blue)).length).toBeGreaterThan(3);
    expect(Math.min(...(await paintedColumns(cpu, blue)))).toBeGreaterThan(0.9);
  });

  test("a lone sample is a dot", async () => {
    const page = await open({ viewport: { width: 1280, height: 900 } });
    await withSamples(page, () => threeHours(Date.now(), 89, 89));
    await page.goto("/manager?view=nodes");
    const cpu = chart(page, "Node CPU usage");
    await cpu.locator("canvas").waitFor();
    await expect.poll(async () => (await paintedColumns(cpu, blue)).length).toBeGreaterThan(2);
  });

  test("follow the width of the screen and the scheme, and move nothing below", async () => {
    const page = await open({ viewport: { width: 1280, height: 900 } });
    await withSamples(page, () => threeHours(Date.now()));
    await page.goto("/manager?view=nodes");
    const canvas = chart(page, "Node CPU usage").locator("canvas");
    await canvas.waitFor();
    const sizeOf = async () => {
      const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
      return { width: Math.round(width), height: Math.round(height) };
    };
    const wide = await sizeOf();
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(async () => (await sizeOf()).width).toBeLessThan(320);
    expect((await sizeOf()).height).toBe(wide.height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect
      .poll(async () => (await paintedColumns(chart(page, "Node CPU usage"), [0x86, 0xab, 0xff])).length)
      .toBeGreaterThan(50);
  });

  test("let a finger read values without taking the page's scroll away", async () => {
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
      Number((await rows(page, "Node CPU usage"))[1]?.match(/\t([\d.]+) %/)?.[1] ?? Number.NaN);
    await touch("touchStart", [at(0.2)]);
    await expect.poll(value).toBeCloseTo(72, -1);
    for (const share of [0.25, 0.3, 0.4, 0.5]) await touch("touchMove", [at(share)]);
    await expect.poll(value).toBeCloseTo(45, -1);
    await touch("touchEnd", []);
    expect(await over.evaluate((element) => getComputedStyle(element).touchAction)).toBe("pan-y");
  });

  test("keep their places while they load", async () => {
    const page = await open({ viewport: { width: 1280, height: 900 } });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**${calls.getNodeSamples.path}`, async (route) => {
      await released;
      await route.fulfill({ json: threeHours(Date.now()) });
    });
    const title = page.getByRole("heading", { name: "syd01 - iface AS4242420001" });
    const places = async () => {
      const boxes = [await page.getByRole("table").first().boundingBox(), await title.boundingBox()];
      return boxes.map((box) => box && Math.round(box.y));
    };
    await page.goto("/manager?view=nodes");
    await title.waitFor();
    const loading = await places();
    release();
    await chart(page, "Traffic, syd01 - iface AS4242420001").locator("canvas").waitFor();
    expect(await places()).toEqual(loading);
  });

  test("take in what is new while somebody looks", async () => {
    const page = await open();
    await page.clock.install();
    const start = Date.now();
    let gathered = threeHours(start);
    await withSamples(page, () => gathered);
    await page.goto("/manager?view=stats");
    await page.getByRole("cell", { name: "1,181" }).first().waitFor();
    await expect
      .poll(async () => (await rows(page, "Total routes over IPv4"))[1])
      .toBe("syd01\t1,181\t1,181\t1,181");
    gathered = threeHours(start, 179, 0, 900);
    await page.clock.runFor(31_000);
    await expect
      .poll(async () => (await rows(page, "Total routes over IPv4"))[1])
      .toBe("syd01\t900\t900\t1,181");
    await page.getByText(/^Last sample: 3\d s ago$/).waitFor();
  });
});

describe("the contact form", () => {
  test("is one mail that support can answer, however often it is pressed", async () => {
    const page = await open();
    const before = (await outbox(server.url)).length;
    await page.goto("/manager?view=contact");
    await fill(page, {
      "Your name": "Zoë Łuk",
      "Your email address": "zoe@example.org",
      "Your message": "First line\nsecond line 🙂",
    });
    let asked = 0;
    await page.route(`**${calls.submitContactForm.path}`, async (route) => {
      asked += 1;
      await new Promise((resolve) => {
        setTimeout(resolve, 500);
      });
      await route.continue();
    });
    await page.getByRole("button", { name: "Submit" }).dblclick();
    await page.getByLabel("Your name").press("Enter");
    await page.getByLabel("Your name").press("Enter");
    await page
      .getByText("Your message has been submitted. We will get back to you as soon as we can. Thank you")
      .waitFor();
    expect(asked).toBe(1);
    const mails = await outbox(server.url);
    expect(mails).toHaveLength(before + 1);
    expect(mails[0]).toMatchObject({
      to: "support@demo.example",
      subject: "Message from AS4242420001 through Peerdeck Demo",
      text: "AS4242420001, Zoë Łuk <zoe@example.org>, wrote:\n\nFirst line\nsecond line 🙂\n",
    });
  });

  test("an answer that got lost does not make a second mail of the next try", async () => {
    const page = await open();
    const before = (await outbox(server.url)).length;
    await page.goto("/manager?view=contact");
    await fill(page, {
      "Your name": "Ada",
      "Your email address": "ada@example.org",
      "Your message": "Are you there?",
    });
    await page.route(
      `**${calls.submitContactForm.path}`,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await submit(page);
    await page.getByText(/^Failed to submit message\./).waitFor();
    expect(await page.getByLabel("Your message").inputValue()).toBe("Are you there?");
    await submit(page);
    await page.getByText("Your message has been submitted.").waitFor();
    expect(await outbox(server.url)).toHaveLength(before + 1);
  });

  test("works with the keyboard alone, from the menu on", async () => {
    const page = await open({ viewport: { width: 1280, height: 900 } });
    await page.goto("/manager");
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    await tabTo(page, "Contact");
    await page.keyboard.press("Enter");
    await arriveAt(page, "Contact");
    expect(await tab(page)).toBe("Your name");
    await page.keyboard.type("Ada");
    await tab(page);
    await page.keyboard.type("ada@example.org");
    await tab(page);
    await page.keyboard.type("By keyboard");
    await page.keyboard.press("Enter");
    await page.keyboard.type("alone");
    expect(await tab(page)).toBe("Submit");
    await page.keyboard.press("Enter");
    await page.getByText("Your message has been submitted.").waitFor();
    await expect.poll(async () => (await focused(page)).name).toMatch(/^Your message has been submitted\./);
    expect((await outbox(server.url))[0]?.text).toContain("By keyboard\nalone\n");
    expect(await tab(page)).toBe("Write another message");
  });
});
