import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { provider } from "#mocks/provider.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

const textOf = (name: string) => screen.getByRole("region", { name }).textContent;

const leadsTo = (name: string) => screen.getByRole("link", { name }).getAttribute("href");

describe("About", () => {
  it("describes nodes, deployments and services with the provider's facts", async () => {
    await openApp("/about");
    await screen.findByRole("heading", { name: "About" });
    expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      "What you need",
      "How it works, step by step",
      "Nodes/Routers",
      "Infrastructure Management",
      "Services",
    ]);
    expect(textOf("Nodes/Routers")).toMatch(
      /^Nodes\/RoutersExample Transit is AS4242422227 and runs 6 nodes\./,
    );
    const nodes = within(screen.getByRole("list", { name: "Nodes" })).getAllByRole("listitem");
    expect(nodes).toHaveLength(6);
    expect(nodes[0]?.textContent).toBe("syd01.dn42.example.netSydney, Australia");
    expect(textOf("Infrastructure Management")).toContain(
      "A deployment is applied completely or not at all.",
    );
    expect(textOf("Services")).toContain("Recursive DNS server172.20.129.2");
    expect(screen.getByRole("button", { name: "Copy resolver address" })).toBeTruthy();
    expect(textOf("Services")).toMatch(/lg\.dn42\.example\.net.* Reachable only inside the network\./);
    expect(leadsTo("lg.dn42.example.net")).toBe("https://lg.dn42.example.net/");
  });

  it("leaves out what the provider does not have, as Home does", async () => {
    const [node] = provider.nodes;
    backend.reply("provider", { ...provider, nodes: [node], resolver: "", looking_glass: "" });
    const { user } = await openApp("/about");
    await screen.findByRole("heading", { name: "About" });
    expect(textOf("Nodes/Routers")).toContain("runs one node.");
    expect(textOf("Services")).toMatch(/^ServicesUptime monitor/);
    await user.click(screen.getByRole("link", { name: "Home" }));
    expect(await screen.findByText("Example Transit also runs an uptime monitor.")).toBeTruthy();
  });
});

it("the picture on Home leaves out a node without coordinates, and its links", async () => {
  const nodes = provider.nodes.map((node) =>
    node.name === "per01" ? { ...node, lat: null, lon: null } : node,
  );
  backend.reply("provider", { ...provider, nodes });
  await openApp("/");
  await vi.waitFor(() => {
    const picture = document.querySelector("svg[role=img]");
    const drawn = ["circle", "path.link"].map((part) => picture?.querySelectorAll(part).length);
    expect(drawn).toEqual([5, 3]);
  });
});

it("a screen that fails shows the reason, and recovers when the server is reachable", async () => {
  backend.cutOff("provider");
  const { user } = await openApp("/about");
  expect((await screen.findByRole("alert")).textContent).toMatch(
    /^The server could not be reached\. Check your connection and try again\./,
  );
  expect(screen.getByRole("link", { name: "Back to Home" }).getAttribute("href")).toBe("/");
  backend.reply("provider", provider);
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "About" })).toBeTruthy();
});
