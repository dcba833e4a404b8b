import { screen, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nodeHistories } from "../../../src/mocks/observations.ts";
import { provider } from "../../../src/mocks/provider.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

/** A Saturday, two minutes into a quarter of an hour. */
const now = Date.UTC(2026, 10, 21, 2, 17);

beforeEach(() => {
  vi.stubEnv("TZ", "UTC");
  backend.reply("getNodeHistory", () => HttpResponse.json(nodeHistories(now)));
});
afterEach(() => vi.unstubAllEnvs());

async function openStatus() {
  const app = await openApp("/status");
  await screen.findByRole("heading", { name: "Status" });
  return app;
}

async function panel(host: string) {
  return within(await screen.findByRole("region", { name: new RegExp(`^${host}`) }));
}

async function inNavigation(name: string) {
  return within(await screen.findByRole("navigation")).getByRole("link", { name });
}

async function uptimes(host: string) {
  return (await panel(host)).getAllByText(/% up/).map((element) => element.textContent);
}

async function hosted(status_page: string) {
  backend.reply("provider", () => HttpResponse.json({ ...provider, status_page }));
  await openStatus();
  return screen.getByTitle("the uptime monitor");
}

describe("the server's own status page", () => {
  it("summarises the nodes in a sentence, and shows each state as a word and a colour", async () => {
    await openStatus();
    expect(
      await screen.findByText(
        "1 of 6 nodes does not reply: za01.dn42.example.net. 1 has issues: per01.dn42.example.net. " +
          "1 was not checked in the last five minutes: ny01.dn42.example.net.",
      ),
    ).toBeTruthy();
    expect((await panel("per01")).getByText("Issues", { selector: "h2 ~ *" }).classList[0]).toBe("issues");
    expect((await panel("za01")).getByText("Unknown", { selector: "h2 ~ *" }).classList[0]).toBe("down");
    expect((await panel("syd01")).getByText("OK", { selector: "h2 ~ *" }).classList[0]).toBe("good");
  });

  it("never shows unmonitored time as healthy", async () => {
    await openStatus();
    const ny01 = await panel("ny01");
    expect(ny01.getByText("No data", { selector: "h2 ~ *" })).toBeTruthy();
    expect(ny01.getAllByText("No data", { selector: "h3 ~ *" })).toHaveLength(2);
    expect(ny01.getAllByRole("slider").map((strip) => strip.getAttribute("aria-valuetext"))).toEqual([
      "Sat 02:15 to 02:30: No data",
      "21 November: No data",
    ]);
  });

  it("shows the share of time that a node was up, and the share that was monitored", async () => {
    await openStatus();
    expect(await uptimes("syd01")).toEqual(["100% up", "100% up (66% monitored)"]);
    expect(await uptimes("za01")).toEqual(["97.91% up", "100% up (66% monitored)"]);
  });

  it("contains the same as the bars in tables", async () => {
    await openStatus();
    const rows = (await panel("za01")).getAllByRole("table", { hidden: true }).map((table) =>
      within(table)
        .getAllByRole("row", { hidden: true })
        .slice(1)
        .map((row) => Array.from(row.children, (cell) => cell.textContent)),
    );
    expect(rows).toEqual([
      [
        ["Sat 02:00 to 02:30", "Down", "30 down"],
        ["Fri 02:30 to Sat 02:00", "OK", "1,410 OK"],
      ],
      [
        ["4 November to 21 November", "OK", "25,920 OK"],
        ["3 November", "Issues", "1,440 with issues"],
        ["23 September to 2 November", "OK", "59,040 OK"],
        ["24 August to 22 September", "No data", "none"],
      ],
    ]);
  });

  it("can be read bar by bar with the arrow keys", async () => {
    const { user } = await openStatus();
    const [strip] = (await panel("za01")).getAllByRole("slider");
    if (!strip) throw new Error("there is no strip");
    strip.focus();
    const message = async (keys: string) => {
      await user.keyboard(keys);
      return strip.getAttribute("aria-valuetext");
    };
    expect(await message("{ArrowLeft}")).toBe("Sat 02:00 to 02:15: Down (15 observations)");
    expect(screen.getByText("Sat 02:00 to 02:15: Down (15 observations)")).toBeTruthy();
    expect(await message("{ArrowLeft}")).toBe("Sat 01:45 to 02:00: OK (15 observations)");
    expect(await message("{Home}{ArrowLeft}")).toBe("Fri 02:30 to 02:45: OK (15 observations)");
    expect(await message("{End}")).toBe("Sat 02:15 to 02:30: Down (15 observations)");
    await user.tab();
    expect(screen.queryByText("Sat 02:15 to 02:30: Down (15 observations)")).toBeNull();
  });

  it("keeps the layout of the nodes while it loads", async () => {
    backend.reply("getNodeHistory", () => new Promise<never>(() => {}));
    const { user } = await openApp("/about");
    await user.click(await inNavigation("Status"));
    expect(await screen.findByText("Loading the node status…")).toBeTruthy();
    expect(screen.getAllByRole("region", { name: /dn42\.example\.net/ })).toHaveLength(6);
    expect(screen.queryByText("OK", { selector: "h2 ~ *" })).toBeNull();
    expect(screen.queryByText(/^as of/)).toBeNull();
  });

  it("shows an error, and retries on request", async () => {
    backend.refuse("getNodeHistory", 500, { message: "The server made a mistake." });
    const { user } = await openStatus();
    const message = await screen.findByText(/^The node status could not be loaded\./, {}, { timeout: 5_000 });
    expect(message.textContent).toBe("The node status could not be loaded. The server made a mistake.");
    backend.reply("getNodeHistory", () => HttpResponse.json(nodeHistories(now)));
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByText(/^1 of 6 nodes does not reply/)).toBeTruthy();
  });

  it("keeps the last data when it cannot be refreshed, and shows its age", async () => {
    const { router, user } = await openStatus();
    await screen.findByText(/^as of \d+ s ago$/);
    backend.refuse("getNodeHistory", 500, { message: "The server made a mistake." });
    await user.click(await inNavigation("About"));
    await screen.findByRole("heading", { name: "About" });
    await router.options.context.queryClient.invalidateQueries({ queryKey: ["node-history"] });
    await user.click(await inNavigation("Status"));
    expect(
      await screen.findByText(
        /^The node status could not be refreshed\. Showing the last known data\./,
        {},
        { timeout: 5_000 },
      ),
    ).toBeTruthy();
    expect(screen.getByText(/^1 of 6 nodes does not reply/)).toBeTruthy();
    expect(screen.getByText(/^as of \d+ s ago$/)).toBeTruthy();
  });
});

describe("a hosted status page", () => {
  it("is embedded in a frame, with a link and a hint for when it does not load", async () => {
    const frame = await hosted("https://status.example.net/public");
    expect(frame.getAttribute("src")).toBe("https://status.example.net/public");
    expect(frame.getAttribute("loading")).toBe("lazy");
    expect(frame.getAttribute("sandbox")?.split(" ").toSorted()).toEqual([
      "allow-forms",
      "allow-popups",
      "allow-popups-to-escape-sandbox",
      "allow-same-origin",
      "allow-scripts",
    ]);
    expect(
      screen.getByText(/^The uptime monitor at status\.example\.net\. If nothing appears below,/),
    ).toBeTruthy();
    const link = screen.getByRole("link", { name: "open it in a new tab" });
    expect(link.getAttribute("href")).toBe("https://status.example.net/public");
    expect(backend.sent("getNodeHistory")).toEqual([]);
  });

  it.each(["/uptime/", "http://localhost:3000/uptime/"])(
    "of our own host, %s, goes without its origin",
    async (page) => {
      expect((await hosted(page)).getAttribute("sandbox")).not.toContain("allow-same-origin");
    },
  );
});
