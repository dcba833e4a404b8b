import type { Scenario } from "../scene.ts";

const nodes = ["syd01", "per01", "sin01", "de01", "ny01", "za01"] as const;

/** What visitors see, by the links of the header. */
export const publicScenario: Scenario = {
  name: "the public screens open, the map shows nodes and lines, and protected and unknown paths redirect",
  async run({ screen }) {
    await screen.open("/");
    await screen.waitFor("link", "Go to Peering Manager");
    await screen.click("link", "Status");
    await screen.waitFor("heading", "Status");
    await screen.click("link", "About");
    await screen.waitForText("Infrastructure Management");
    await screen.click("link", "Map");
    // One on the map, one in the list beside it.
    for (const node of nodes) await screen.waitFor("button", new RegExp(`^${node}\\.`));
    // A horizontal line has no height, so the width is enough.
    await screen.waitUntil("Fewer than five lines are drawn", () => {
      const lines = Array.from(document.querySelectorAll(".leaflet-overlay-pane path[stroke]"));
      return lines.filter((line) => line.getBoundingClientRect().width > 0).length >= 5;
    });

    await screen.open("/nowhere");
    await screen.waitForText("404 not found :(");
    await screen.waitUntil("The path is not /not-found", () => window.location.pathname === "/not-found");
    await screen.open("/manager");
    await screen.waitFor("heading", "Login page");
  },
};
