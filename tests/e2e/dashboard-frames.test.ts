/** The dashboards of the profile in their frames: they draw there, and the policy lets nobody else in. */
import type { Browser, Frame, Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { ended, type Participant, peerUpdate, signUp } from "../integration/server/participant.ts";
import { type ProfileServer, profileServer } from "../integration/server/profile-server.ts";
import { launchBrowser } from "./browser.ts";
import { arriveAt, tab, tabTo } from "./keyboard.ts";
import { openLooking } from "./look.ts";
import { visit } from "./visit.ts";
import { serveWebPage, type WebPage } from "./web-page.ts";

/** A panel that draws with a script what it asks its own server for, as Grafana's do, and tries what it must not. */
const panel = `<!doctype html><html lang="en"><title>Panel</title><body style="margin:0">
<canvas id="drawn" width="64" height="64"></canvas><p id="query"></p><p id="data"></p><p id="reached"></p>
<script>
  const tell = (id, text) => { document.getElementById(id).textContent = text; };
  tell("query", location.pathname + location.search);
  try { tell("reached", parent.document.title); } catch { tell("reached", "no"); }
  fetch("/data").then((answer) => answer.text()).then((text) => {
    const brush = document.getElementById("drawn").getContext("2d");
    brush.fillStyle = "#2b57c9";
    brush.fillRect(0, 0, 64, 64);
    tell("data", text);
  });
</script>`;

let browser: Browser;
let dashboards: WebPage;
let server: ProfileServer;
let participant: Participant;

beforeAll(async () => {
  [browser, dashboards] = await Promise.all([launchBrowser(), serveWebPage(panel)]);
  const template = (path: string) => `${dashboards.url}/${path}&from=now-3h&to=now`;
  server = await profileServer(
    {
      dashboards: {
        node_cpu: template("cpu?var-node={node}"),
        node_memory: template("memory?var-node={node}"),
        interface: template("iface?var-node={node}&var-asn={asn}"),
        total_routes: template("routes?panelId=1"),
      },
    },
    { withOutbox: true },
  );
  participant = await signUp(server.url, "4242420001");
  const { asn, call } = participant;
  const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, peerUpdate({ node: "de01" })]);
  expect((await ended(participant, taskID)).status).toBe("success");
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
  await dashboards[Symbol.asyncDispose]();
});

/** @param complains what the browser is expected to complain about. */
async function open(address: string, complains: readonly unknown[] = []): Promise<Page> {
  const visited = await visit(browser, server.url, {
    as: participant,
    viewport: { width: 1440, height: 900 },
  });
  onTestFinished(async () => {
    await visited[Symbol.asyncDispose]();
    expect(visited.complaints).toEqual(complains);
  });
  await visited.page.goto(address);
  return visited.page;
}

/** The page inside the frame of this title, once it has drawn. */
async function drawn(page: Page, title: string): Promise<Frame> {
  const element = await page.getByTitle(title, { exact: true }).elementHandle();
  const frame = await element?.contentFrame();
  if (!frame) throw new Error(`${title} is no frame`);
  await frame.getByText("operational").waitFor();
  return frame;
}

const query = (frame: Frame) => frame.locator("#query").textContent();

test("Node Status shows each panel of the chosen node, and one for each peering", async () => {
  const page = await open("/manager?view=nodes");
  for (const [title, asked] of [
    ["Node CPU usage", "/cpu?var-node=de01&from=now-3h&to=now"],
    ["Node memory usage", "/memory?var-node=de01&from=now-3h&to=now"],
    ["de01 - iface AS4242420001", "/iface?var-node=de01&var-asn=4242420001&from=now-3h&to=now"],
  ] as const) {
    const frame = await drawn(page, title);
    expect(await query(frame)).toBe(asked);
    expect(await frame.locator("#reached").textContent()).toBe("no");
    expect(await page.getByText(`Loading ${title}…`).count()).toBe(0);
  }
  // What a person sees, in the frame's own place on the screen: the paint of the canvas within.
  const box = await page.getByTitle("Node CPU usage").boundingBox();
  if (!box) throw new Error("the frame has no place");
  const seen = await page.screenshot({ clip: { x: box.x + 16, y: box.y + 16, width: 8, height: 8 } });
  const painted = await page.evaluate(
    async (bytes) => {
      const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
      const brush = new OffscreenCanvas(8, 8).getContext("2d");
      brush?.drawImage(image, 0, 0);
      return brush && [...brush.getImageData(4, 4, 1, 1).data];
    },
    [...seen],
  );
  expect(painted).toEqual([0x2b, 0x57, 0xc9, 255]);

  await page.getByRole("combobox", { name: "Node" }).selectOption("za01");
  await expect
    .poll(async () => query(await drawn(page, "Node CPU usage")))
    .toBe("/cpu?var-node=za01&from=now-3h&to=now");
});

test("Stats shows the one panel, reached and opened with the keyboard alone", async () => {
  const page = await open("/manager");
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  await tabTo(page, "Stats");
  await page.keyboard.press("Enter");
  await arriveAt(page, "Stats");
  expect(await query(await drawn(page, "Total routes"))).toBe("/routes?panelId=1&from=now-3h&to=now");
  expect(await tab(page)).toBe("Open Total routes in a new tab");
  const [opened] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
  await opened.getByText("operational").waitFor();
  expect(opened.url()).toBe(`${dashboards.url}/routes?panelId=1&from=now-3h&to=now`);
});

test("the policy names the dashboards' host and lets nobody else in", async () => {
  const page = await open("/manager?view=stats", [expect.stringContaining("Content Security Policy")]);
  await drawn(page, "Total routes");
  const stranger = await serveWebPage("<h1>Stranger</h1>");
  onTestFinished(() => stranger[Symbol.asyncDispose]());
  const refused = await page.evaluate(
    (url) =>
      new Promise<string>((resolve) => {
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
          resolve(`${effectiveDirective} ${blockedURI}`),
        );
        document.body.append(Object.assign(document.createElement("iframe"), { src: url }));
      }),
    stranger.url,
  );
  expect(refused).toBe(`frame-src ${stranger.url}`);
  expect(stranger.asked).toEqual([]);
});

test("the views with frames as a phone and a desktop show them", async () => {
  const { page, look, found } = await openLooking(browser, server.url, participant);
  await page.goto("/manager?view=nodes");
  await drawn(page, "de01 - iface AS4242420001");
  await look("node status", page.getByTitle("Node CPU usage"));
  await page.goto("/manager?view=stats");
  await drawn(page, "Total routes");
  await look("stats", page.getByTitle("Total routes"));
  const { faults, complaints } = found();
  expect(complaints).toEqual([]);
  // What is inside a frame is the dashboards' own.
  expect(faults.filter((fault) => !fault.includes("iframe"))).toEqual([]);
});
