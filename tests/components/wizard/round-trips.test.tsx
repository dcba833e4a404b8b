/** The node step with round trips to the participant's endpoint. */
import { act, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { networkSummaryAt } from "#mocks/histories.ts";
import { addPeering } from "#mocks/samples.ts";
import { fillToConfirm } from "../../spec/jsdom/wizard.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openWizard, press } from "./open-wizard.tsx";
import { parentOf } from "../../support/parent-of.ts";

const backend = useBackend();
afterEach(() => void vi.useRealTimers());

const profileOrder = ["syd01", "per01", "sin01", "de01", "ny01", "za01"];
const measuredTo = /measured to /i;

const buttons = () => Array.from(screen.getByRole("group", { name: "Node" }).querySelectorAll("button"));
const order = () => buttons().map((button) => button.textContent.slice(0, button.textContent.indexOf(".")));

/** What a screen reader says about each node after its name, by node. */
function descriptions(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    buttons().map((button, index) => {
      const ids = button.getAttribute("aria-describedby")?.split(" ") ?? [];
      const texts = ids.map((id) => readAloud(document.getElementById(id)));
      return [order()[index], texts.filter((text) => text !== "").join(", ")];
    }),
  );
}

function readAloud(element: HTMLElement | null): string {
  const copy = element?.cloneNode(true) as HTMLElement | undefined;
  for (const hidden of copy?.querySelectorAll("[aria-hidden=true]") ?? []) hidden.remove();
  return copy?.textContent ?? "missing";
}

function measured(latencies: Readonly<Record<string, number>>, endpoint = "router.example.org") {
  const nodes = profileOrder.map((node) => ({ node, latency: latencies[node] ?? null }));
  return Response.json({ endpoint, nodes });
}

/** The summary names whether these nodes accept new peerings, and no numbers of peerings. */
function limitNodes(newPeers: Readonly<Record<string, string>>): void {
  const summary = networkSummaryAt(Date.now());
  const nodes = summary.nodes.map((known) => {
    const limit = newPeers[known.node];
    return Object.assign({}, known, { peerings: null, capacity: limit ? 5 : null, newPeers: limit });
  });
  backend.reply("getNetworkSummary", { ...summary, nodes });
}

/** Opens the wizard; the response to the call arrives when the returned function is called. */
async function openBeforeResponse() {
  const response = Promise.withResolvers<Response>();
  backend.reply("getEndpointRoundTrips", () => response.promise);
  await openWizard(backend);
  await screen.findByRole("group", { name: "Node" });
  return async (result: Response) => {
    response.resolve(result);
    await act(async () => {
      await vi.waitFor(() => expect(backend.sent("getEndpointRoundTrips")).not.toEqual([]));
    });
  };
}

describe("with a peering", () => {
  it("lists the nearest node first, the ones without a round trip last, and says what was measured", async () => {
    addPeering(backend.state, { node: "de01" });
    await openWizard(backend);
    expect(await screen.findByText("Nearest first, measured to router.example.org.")).toBeTruthy();
    expect(order()).toEqual(["de01", "ny01", "sin01", "per01", "syd01", "za01"]);
    await vi.waitFor(() => expect(screen.getAllByText("OK")).not.toHaveLength(0));
    expect(descriptions()).toEqual({
      de01: "OK, From your router: 11 ms, already peered",
      ny01: "From your router: 88 ms nearest, 0 peerings",
      sin01: "OK, From your router: 164 ms, full, 60 peerings",
      per01: "Issues, From your router: 245 ms, 12 peerings",
      syd01: "OK, From your router: 271 ms, 38 peerings",
      za01: "Unknown, does not respond",
    });
    expect(screen.getAllByText("–")).toHaveLength(1);
  });

  it("marks the nearest node that can be chosen and responds, also if a nearer one is full or silent", async () => {
    addPeering(backend.state, { node: "syd01" });
    backend.reply("getEndpointRoundTrips", () =>
      measured({ syd01: 0.4, per01: 20, sin01: 5, za01: 7, de01: 11.4 }, "198.51.100.7"),
    );
    await openWizard(backend);
    expect(await screen.findByText("Nearest first, measured to 198.51.100.7.")).toBeTruthy();
    expect(order().slice(0, 5)).toEqual(["syd01", "sin01", "za01", "de01", "per01"]);
    await vi.waitFor(() => expect(descriptions()["sin01"]).toContain("full, 60 peerings"));
    expect(descriptions()["syd01"]).toContain("From your router: <1 ms, already peered");
    expect(descriptions()["de01"]).toContain("From your router: 11 ms nearest");
    expect(screen.getAllByText("nearest")).toHaveLength(1);
  });

  it("offers no node that is full, closed or draining, whose number of peerings may not be published", async () => {
    addPeering(backend.state, { node: "syd01" });
    limitNodes({ de01: "closed", ny01: "full", sin01: "open", za01: "draining" });
    await openWizard(backend);
    await vi.waitFor(() => expect(descriptions()["sin01"]).toBe("OK, From your router: 164 ms nearest"));
    expect(descriptions()).toMatchObject({
      de01: "OK, From your router: 11 ms, closed to new peerings",
      ny01: "From your router: 88 ms, full, 5 peerings",
      za01: "Unknown, closed, out of service soon",
    });
    expect(buttons().filter(({ disabled }) => disabled)).toHaveLength(4);
  });

  it("follows the operator within seconds, and offers another node if the chosen one is closed meanwhile", async () => {
    addPeering(backend.state, { node: "syd01" });
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"],
    });
    limitNodes({ ny01: "closed" });
    const { user } = await openWizard(backend);
    await vi.waitFor(() => expect(descriptions()["ny01"]).toContain("closed to new peerings"));
    await user.click(screen.getByRole("button", { name: /^de01\./ }));
    limitNodes({ de01: "draining" });
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(
      await screen.findByText(
        /^de01\.dn42\.example\.net cannot be chosen any more: closed, out of service soon\./,
      ),
    ).toBeTruthy();
    expect(buttons().filter(({ disabled }) => disabled)).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: "Choose ny01" }));
    expect(screen.getByRole("button", { name: /^ny01\./ }).ariaPressed).toBe("true");
  });

  it("leads to the contact form if no other node accepts a peering", async () => {
    addPeering(backend.state, { node: "syd01" });
    limitNodes({ per01: "full", sin01: "full", de01: "full", ny01: "closed", za01: "closed" });
    await openWizard(backend);
    const notice = parentOf(await screen.findByText(/^All other nodes are full or closed to new peerings\./));
    const link = within(notice).getByRole("link", { name: "contact form" });
    expect(link.getAttribute("href")).toBe("/manager?view=contact");
    expect(screen.queryByText("nearest")).toBeNull();
  });

  it("offers the next nearest node if the server refuses the chosen one at Submit", async () => {
    addPeering(backend.state, { node: "de01" });
    const message = "syd01.dn42.example.net is full: it accepts 60 peerings. Choose another node.";
    backend.refuse("updatePeerConfig", 422, { message, field: "node" });
    const { user } = await openWizard(backend);
    await fillToConfirm();
    await press("Submit");
    expect(
      await screen.findByText(`${message} Nothing was deployed; everything you entered is kept.`),
    ).toBeTruthy();
    expect(descriptions()["syd01"]).toBe("OK, From your router: 271 ms, not available");
    expect(backend.sent("getNetworkSummary")).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: "Choose ny01" }));
    expect(screen.queryByText(/Nothing was deployed/)).toBeNull();
    expect(screen.queryByRole("button", { name: /^Choose / })).toBeNull();
    for (const title of ["BGP details", "Your details"]) {
      await press("Next");
      await screen.findByRole("heading", { name: title });
    }
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Port" }).value).not.toBe("");
  });

  it("marks no node as the nearest if only one was measured", async () => {
    addPeering(backend.state, { node: "syd01" });
    backend.reply("getEndpointRoundTrips", () => measured({ za01: 250 }));
    await openWizard(backend);
    expect(await screen.findByText("Round trips measured to router.example.org.")).toBeTruthy();
    expect(order()).toEqual(["za01", "syd01", "per01", "sin01", "de01", "ny01"]);
    expect(screen.queryByText("nearest")).toBeNull();
  });
});

describe("values that arrive after the list is shown", () => {
  it("fill their places and move no node", async () => {
    addPeering(backend.state, { node: "syd01" });
    const respond = await openBeforeResponse();
    expect(order()).toEqual(profileOrder);
    expect(screen.getByText("From your router")).toBeTruthy();
    expect(screen.queryByText(measuredTo)).toBeNull();
    await respond(measured({ syd01: 271, per01: 245, sin01: 164, de01: 11, ny01: 88, za01: 250 }));
    expect(await screen.findByText("Round trips measured to router.example.org.")).toBeTruthy();
    expect(order()).toEqual(profileOrder);
    expect(descriptions()["de01"]).toContain("From your router: 11 ms nearest");
  });

  it("are read again while a node has none, twice at most", async () => {
    addPeering(backend.state, { node: "syd01" });
    const responses = [
      { syd01: 20, per01: 30 },
      { syd01: 20, per01: 30, de01: 10 },
    ];
    backend.reply("getEndpointRoundTrips", () =>
      measured(responses.shift() ?? { syd01: 20, per01: 30, de01: 10 }),
    );
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"],
    });
    await openWizard(backend);
    await screen.findByText("Nearest first, measured to router.example.org.");
    const shown = order();
    expect(shown.slice(0, 2)).toEqual(["syd01", "per01"]);
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(await screen.findByText("Round trips measured to router.example.org.")).toBeTruthy();
    expect(descriptions()["de01"]).toContain("From your router: 10 ms nearest");
    expect(order()).toEqual(shown);
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    await vi.waitFor(() => expect(backend.sent("getEndpointRoundTrips")).toHaveLength(3));
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(backend.sent("getEndpointRoundTrips")).toHaveLength(3);
  });
});

describe("without round trips the list is in the profile's order and has no place for them:", () => {
  const cases: ReadonlyArray<readonly [name: string, prepare: () => void]> = [
    ["an AS without a peering", () => undefined],
    [
      "a server without the call",
      () => {
        addPeering(backend.state, { node: "de01" });
        backend.refuse("getEndpointRoundTrips", 404, { message: "No such call." });
      },
    ],
    [
      "an endpoint that does not reply to any node",
      () => {
        addPeering(backend.state, { node: "de01" });
        backend.reply("getEndpointRoundTrips", () => measured({}));
      },
    ],
  ];

  it.each(cases)("%s", async (_, prepare) => {
    prepare();
    await openWizard(backend);
    await screen.findByRole("group", { name: "Node" });
    await expect.poll(() => backend.sent("getEndpointRoundTrips").length).toBeGreaterThan(0);
    expect(order()).toEqual(profileOrder);
    expect(screen.queryByText(/From your router/)).toBeNull();
    expect(screen.queryByText(measuredTo)).toBeNull();
    expect(buttons().some(({ className }) => className.includes("measured"))).toBe(false);
  });

  it("keeps the place that it had for them if there are none in the end", async () => {
    addPeering(backend.state, { node: "syd01" });
    const respond = await openBeforeResponse();
    await respond(Response.json({ message: "No such call." }, { status: 404 }));
    await act(async () => undefined);
    expect(order()).toEqual(profileOrder);
    expect(screen.getByText("From your router")).toBeTruthy();
    expect(screen.queryByText(measuredTo)).toBeNull();
  });
});
