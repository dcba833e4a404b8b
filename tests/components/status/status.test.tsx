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
  backend.answer("getNodeHistory", () => HttpResponse.json(nodeHistories(now)));
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
  return (await panel(host)).getAllByText(/^Up /).map((element) => element.textContent);
}

async function hosted(status_page: string) {
  backend.answer("provider", () => HttpResponse.json({ ...provider, status_page }));
  await openStatus();
  return screen.getByTitle("the uptime monitor");
}

const nbsp = "\u00A0";

describe("the server's own status page", () => {
  it("says in a sentence how the nodes are, and of each how it is in a word and a colour", async () => {
    await openStatus();
    expect(
      await screen.findByText(
        "1 of 6 nodes is down: za01. 1 has issues: per01. 1 was not looked at in the last five minutes: ny01.",
      ),
    ).toBeTruthy();
    expect((await panel("per01")).getByText("Issues", { selector: "h2 ~ *" }).classList[0]).toBe("issues");
    expect((await panel("za01")).getByText("Down", { selector: "h2 ~ *" }).classList[0]).toBe("down");
    expect((await panel("syd01")).getByText("OK", { selector: "h2 ~ *" }).classList[0]).toBe("good");
  });

  it("never shows as healthy what nobody looked at", async () => {
    await openStatus();
    const ny01 = await panel("ny01");
    expect(ny01.getByText("No data", { selector: "h2 ~ *" })).toBeTruthy();
    expect(ny01.getAllByText("No data", { selector: "h3 ~ *" })).toHaveLength(2);
    expect(ny01.getAllByRole("slider").map((strip) => strip.getAttribute("aria-valuetext"))).toEqual([
      "Sat 02:15 to 02:30: No data (nobody looked)",
      "21 November: No data (nobody looked)",
    ]);
  });

  it("gives the share of time that a node was up, and the share that was observed", async () => {
    await openStatus();
    expect(await uptimes("syd01")).toEqual([`Up 100${nbsp}%`, `Up 100${nbsp}%, observed 66${nbsp}%`]);
    expect(await uptimes("za01")).toEqual([`Up 97.91${nbsp}%`, `Up 100${nbsp}%, observed 66${nbsp}%`]);
  });

  it("holds the same as the bars in tables", async () => {
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

  it("is read along its bars with the arrow keys", async () => {
    const { user } = await openStatus();
    const [strip] = (await panel("za01")).getAllByRole("slider");
    if (!strip) throw new Error("there is no strip");
    strip.focus();
    const told = async (keys: string) => {
      await user.keyboard(keys);
      return strip.getAttribute("aria-valuetext");
    };
    expect(await told("{ArrowLeft}")).toBe("Sat 02:00 to 02:15: Down (15 observations)");
    expect(screen.getByText("Sat 02:00 to 02:15: Down (15 observations)")).toBeTruthy();
    expect(await told("{ArrowLeft}")).toBe("Sat 01:45 to 02:00: OK (15 observations)");
    expect(await told("{Home}{ArrowLeft}")).toBe("Fri 02:30 to 02:45: OK (15 observations)");
    expect(await told("{End}")).toBe("Sat 02:15 to 02:30: Down (15 observations)");
    await user.tab();
    expect(screen.queryByText("Sat 02:15 to 02:30: Down (15 observations)")).toBeNull();
  });

  it("holds the places of the nodes while it waits", async () => {
    backend.answer("getNodeHistory", () => new Promise<never>(() => {}) as never);
    const { user } = await openApp("/about");
    await user.click(await inNavigation("Status"));
    expect(await screen.findByText("Loading the state of the nodes…")).toBeTruthy();
    expect(screen.getAllByRole("region", { name: /dn42\.example\.net/ })).toHaveLength(6);
    expect(screen.queryByText("OK", { selector: "h2 ~ *" })).toBeNull();
    expect(screen.queryByText(/^as of/)).toBeNull();
  });

  it("tells a failure, and tries again when asked", async () => {
    backend.refuse("getNodeHistory", 500, { message: "The server made a mistake." });
    const { user } = await openStatus();
    const told = await screen.findByText(
      /^The state of the nodes could not be loaded\./,
      {},
      { timeout: 5_000 },
    );
    expect(told.textContent).toBe("The state of the nodes could not be loaded. The server made a mistake.");
    backend.answer("getNodeHistory", () => HttpResponse.json(nodeHistories(now)));
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByText(/^1 of 6 nodes is down/)).toBeTruthy();
  });

  it("keeps what it knows when it cannot be refreshed, and says how old that is", async () => {
    const { router, user } = await openStatus();
    await screen.findByText(/^as of \d+ s ago$/);
    backend.refuse("getNodeHistory", 500, { message: "The server made a mistake." });
    await user.click(await inNavigation("About"));
    await screen.findByRole("heading", { name: "About" });
    await router.options.context.queryClient.invalidateQueries({ queryKey: ["node-history"] });
    await user.click(await inNavigation("Status"));
    expect(
      await screen.findByText(
        /^This could not be refreshed; what stands below is the last/,
        {},
        { timeout: 5_000 },
      ),
    ).toBeTruthy();
    expect(screen.getByText(/^1 of 6 nodes is down/)).toBeTruthy();
    expect(screen.getByText(/^as of \d+ s ago$/)).toBeTruthy();
  });
});

describe("a hosted status page", () => {
  it("stands in a frame, with a link and words for when it does not load", async () => {
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
      screen.getByText(/^The uptime monitor at status\.example\.net\. Should nothing appear below,/),
    ).toBeTruthy();
    const link = screen.getByRole("link", { name: "open it in a tab of its own" });
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
