import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nodeHistories } from "#mocks/observations.ts";
import { provider } from "#mocks/provider.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { parentOf } from "../../support/parent-of.ts";

const backend = useBackend();

/** A Saturday, two minutes into a quarter of an hour. */
const now = Date.UTC(2026, 10, 21, 2, 17);

beforeEach(() => {
  vi.stubEnv("TZ", "UTC");
  backend.reply("getNodeHistories", nodeHistories(now));
});
afterEach(() => vi.unstubAllEnvs());

async function openStatus() {
  const app = await openApp("/status");
  await screen.findByRole("heading", { name: "Status" });
  return app;
}

/** The row of a node. */
async function rowOf(node: string) {
  const name = await screen.findByRole("heading", { level: 3, name: new RegExp(`^${node}\\b`) });
  const item = name.closest("li");
  if (item === null) throw new Error(`${node} has no row`);
  return item;
}

async function open(node: string, { user }: Awaited<ReturnType<typeof openStatus>>) {
  const item = await rowOf(node);
  const summary = item.querySelector("summary");
  if (summary === null) throw new Error(`the row of ${node} cannot be opened`);
  await user.click(summary);
  await within(item).findByRole("heading", { level: 4, name: "Last 24 hours" });
  return within(item);
}

async function inNavigation(name: string) {
  return within(await screen.findByRole("navigation")).getByRole("link", { name });
}

const responses = (opened: Awaited<ReturnType<typeof open>>) =>
  opened.getAllByText(/% responding/).map((element) => element.textContent);

async function hosted(status_page: string) {
  backend.reply("provider", { ...provider, status_page });
  await openStatus();
  return screen.getByTitle("the uptime monitor");
}

describe("the server's own status page", () => {
  it("begins with the worst node, and has a row for each: name, place, state in a colour, reason, responses", async () => {
    await openStatus();
    expect(
      await screen.findByText("za01.dn42.example.net does not respond. 1 has issues, 1 was not checked."),
    ).toBeTruthy();
    await screen.findByText("Singapore · Full");
    expect(within(await rowOf("per01")).getByText("Issues").classList[0]).toBe("issues");
    expect(within(await rowOf("za01")).getByText("Unknown").classList[0]).toBe("down");
    expect(within(await rowOf("syd01")).getByText("OK").classList[0]).toBe("good");
    expect(within(await rowOf("za01")).getByText("Unknown").classList).toContain("unknown");
    const texts = await Promise.all(
      provider.nodes.map(async ({ name }) =>
        Array.from(
          (await rowOf(name)).querySelectorAll("h3, bdi, .state, .reason, .uptime"),
          ({ textContent }) => textContent,
        ),
      ),
    );
    expect(texts).toEqual([
      ["syd01.dn42.example.net", "Sydney, Australia", "OK", "100% of 60 days"],
      ["per01.dn42.example.net", "Perth, Australia", "Since 02:00", "Issues", "100% of 60 days"],
      ["sin01.dn42.example.net", "Singapore · Full", "OK", "100% of 60 days"],
      ["de01.dn42.example.net", "Frankfurt, Germany", "OK", "100% of 60 days"],
      ["ny01.dn42.example.net", "New York, United States", "Not checked yet", "No data", "–"],
      [
        "za01.dn42.example.net",
        "Johannesburg, South Africa",
        "No response since 02:00",
        "Unknown",
        "100% of 60 days",
      ],
    ]);
    expect(screen.getAllByRole("img").map(({ ariaLabel }) => ariaLabel)).toEqual(
      provider.nodes.map(({ name }) =>
        name === "ny01"
          ? "No data"
          : "Responding 100% of the last 90 days (66.67% monitored), issues on 1 day",
      ),
    );
    // A shape for each outcome, besides its colour.
    const shapes = ["OK", "Issues", "Partly unknown", "Unknown", "No data"].map((outcome) => {
      const item = screen
        .getAllByText(outcome)
        .map(parentOf)
        .find((parent) => parent.matches("ul > li"));
      const paths = item ? Array.from(item.querySelectorAll("path"), (path) => path.getAttribute("d")) : [];
      return paths.join("");
    });
    expect(new Set(shapes).size).toBe(5);
  });

  it("says that a node does not forward packets", async () => {
    const problem = "The node does not forward packets at the moment.";
    const histories = nodeHistories(now);
    const per01 = histories.nodes.find(({ node }) => node === "per01");
    if (per01) per01.problem = problem;
    backend.reply("getNodeHistories", histories);
    await openStatus();
    expect((await rowOf("per01")).textContent).toContain(problem);
    expect(screen.getAllByText(problem)).toHaveLength(1);
  });

  it("has a row for a node that the response does not have yet", async () => {
    const histories = nodeHistories(now);
    backend.reply("getNodeHistories", { ...histories, nodes: histories.nodes.slice(0, 1) });
    await openStatus();
    await screen.findByText("5 of 6 nodes were not checked.");
    expect(within(await rowOf("za01")).getByText("Not checked yet")).toBeTruthy();
  });

  it("shows shares of time and bars in an open row, never unmonitored time as healthy", async () => {
    const app = await openStatus();
    const ny01 = await open("ny01", app);
    expect(ny01.getAllByText("No data", { selector: "h4 ~ *" })).toHaveLength(2);
    expect(ny01.getAllByRole("slider").map((strip) => strip.getAttribute("aria-valuetext"))).toEqual([
      "Sat 02:15 to 02:30: No data",
      "21 November: No data",
    ]);
    expect(responses(await open("syd01", app))).toEqual([
      "100% responding",
      "100% responding (66.67% monitored)",
    ]);

    const za01 = await open("za01", app);
    expect(responses(za01)).toEqual(["97.92% responding", "100% responding (66.67% monitored)"]);
    const rows = za01.getAllByRole("table").map((table) =>
      within(table)
        .getAllByRole("row")
        .slice(1)
        .map((row) => Array.from(row.children, (cell) => cell.textContent)),
    );
    expect(rows).toEqual([
      [
        ["Sat 02:00 to 02:30", "Unknown", "30 without response"],
        ["Fri 02:30 to Sat 02:00", "OK", "1,410 OK"],
      ],
      [
        ["4 November to 21 November", "OK", "25,920 OK"],
        ["3 November", "Issues", "1,440 with issues"],
        ["23 September to 2 November", "OK", "59,040 OK"],
        ["24 August to 22 September", "No data", "none"],
      ],
    ]);
    // Bar by bar, with the arrow keys.
    const { user } = app;
    const [strip] = za01.getAllByRole("slider");
    if (!strip) throw new Error("there is no strip");
    strip.focus();
    const message = async (keys: string) => {
      await user.keyboard(keys);
      return strip.getAttribute("aria-valuetext");
    };
    expect(await message("{ArrowLeft}")).toBe("Sat 02:00 to 02:15: Unknown (15 observations)");
    expect(screen.getByText("Sat 02:00 to 02:15: Unknown (15 observations)")).toBeTruthy();
    expect(await message("{ArrowLeft}")).toBe("Sat 01:45 to 02:00: OK (15 observations)");
    expect(await message("{Home}{ArrowLeft}")).toBe("Fri 02:30 to 02:45: OK (15 observations)");
    expect(await message("{End}")).toBe("Sat 02:15 to 02:30: Unknown (15 observations)");
    await user.tab();
    expect(screen.queryByText("Sat 02:15 to 02:30: Unknown (15 observations)")).toBeNull();
  });

  it("keeps the layout of the nodes while it loads", async () => {
    backend.reply("getNodeHistories", () => new Promise<never>(() => {}));
    const { user } = await openApp("/about");
    await user.click(await inNavigation("Status"));
    expect(await screen.findByText("Loading the node status…")).toBeTruthy();
    expect(screen.getAllByRole("heading", { level: 3, name: /dn42\.example\.net$/ })).toHaveLength(6);
    expect(screen.queryByText("OK", { selector: ".state *" })).toBeNull();
    expect(screen.queryByText(/^as of/)).toBeNull();
  });

  it("shows an error, retries on request, and keeps the last data when it cannot be refreshed, with its age", async () => {
    backend.refuse("getNodeHistories", 503, { message: "The server made a mistake." });
    const { router, user } = await openStatus();
    const message = await screen.findByText(/^The node status could not be loaded\./);
    expect(message.textContent).toBe("The node status could not be loaded. The server made a mistake.");
    backend.reply("getNodeHistories", nodeHistories(now));
    await user.click(screen.getByRole("button", { name: "Retry" }));
    await screen.findByText(/^as of \d+ s ago$/);
    backend.refuse("getNodeHistories", 503, { message: "The server made a mistake." });
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
    expect(screen.getByText(/^za01.dn42.example.net does not respond/)).toBeTruthy();
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
    expect(backend.sent("getNodeHistories")).toEqual([]);
  });

  it.each(["/uptime/", "http://localhost:3000/uptime/"])(
    "of our own host, %s, goes without its origin",
    async (page) => {
      expect((await hosted(page)).getAttribute("sandbox")).not.toContain("allow-same-origin");
    },
  );
});
