/** The profile's dashboards in their frames: they render. */
import type { Frame, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deployPeering, type Participant, signUp } from "../integration/server/participant.ts";
import { type ProfileServer, profileServer } from "../integration/server/profile-server.ts";
import { waitForFocusedHeading, pressTab, tabTo } from "./keyboard.ts";
import { createAudit } from "./axe-audit.ts";
import { openPage } from "./open-page.ts";
import { serveWebPage, type WebPage } from "./web-page.ts";

/** A panel that draws data of its own server with a script, as Grafana's do, and tries to access its parent. */
const panel = `<!doctype html><html lang="en"><title>Panel</title><body style="margin:0">
<canvas id="drawn" width="64" height="64"></canvas><p id="query"></p><p id="data"></p><p id="reached"></p>
<script>
  const show = (id, text) => { document.getElementById(id).textContent = text; };
  show("query", location.pathname + location.search);
  try { show("reached", parent.document.title); } catch { show("reached", "no"); }
  fetch("/data").then((response) => response.text()).then((text) => {
    const brush = document.getElementById("drawn").getContext("2d");
    brush.fillStyle = "#2b57c9";
    brush.fillRect(0, 0, 64, 64);
    show("data", text);
  });
</script>`;

let dashboards: WebPage;
let server: ProfileServer;
let participant: Participant;

beforeAll(async () => {
  dashboards = await serveWebPage(panel);
  const template = (path: string) => `${dashboards.url}/${path}&from=now-3h&to=now`;
  server = await profileServer({
    dashboards: {
      node_cpu: template("cpu?var-node={node}"),
      node_memory: template("memory?var-node={node}"),
      interface: template("iface?var-node={node}&var-asn={asn}"),
      total_routes: template("routes?panelId=1"),
    },
  });
  participant = await signUp(server.url, "4242420001");
  await deployPeering(participant, "de01");
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await dashboards[Symbol.asyncDispose]();
});

async function open(address: string): Promise<Page> {
  const page = await openPage(server.url, { as: participant, viewport: { width: 1440, height: 900 } });
  await page.goto(address);
  return page;
}

/** Returns the page in the frame with this title, once it has drawn. */
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
  for (const [title, expectedQuery] of [
    ["Node CPU usage", "/cpu?var-node=de01&from=now-3h&to=now"],
    ["Node memory usage", "/memory?var-node=de01&from=now-3h&to=now"],
    ["de01 - iface AS4242420001", "/iface?var-node=de01&var-asn=4242420001&from=now-3h&to=now"],
  ] as const) {
    const frame = await drawn(page, title);
    expect(await query(frame)).toBe(expectedQuery);
    expect(await frame.locator("#reached").textContent()).toBe("no");
    // The frame reports that it has loaded after its page has drawn.
    await expect.poll(() => page.getByText(`Loading ${title}…`).count()).toBe(0);
  }
  // The pixels on the screen at the frame's position: the colour of the canvas in it.
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
  await createAudit(page)("node status", page.getByTitle("Node CPU usage"));
});

test("Stats shows its panel, which can be reached and opened with the keyboard", async () => {
  const page = await open("/manager");
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  await tabTo(page, "Stats");
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "Stats");
  expect(await query(await drawn(page, "Total routes"))).toBe("/routes?panelId=1&from=now-3h&to=now");
  expect(await pressTab(page)).toBe("Open Total routes in a new tab");
  const [opened] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
  await opened.getByText("operational").waitFor();
  expect(opened.url()).toBe(`${dashboards.url}/routes?panelId=1&from=now-3h&to=now`);
  await opened.close();
  await createAudit(page)("stats", page.getByTitle("Total routes"));
});
