import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();
const issue = "The lease of your tunnel ends tomorrow.";

/** A status with the specification's fields alone. */
const specified = {
  node: "syd01",
  bgp_status: "Issues",
  wg_status: { state: "Up", issues: [issue], tx: "5.50 GiB", rx: "1.21 MiB" },
  latency: "12.4 ms",
};

/** The bubble of the heading, or of a card. */
const bubble = (element: Element) => element.querySelector(".good, .issues, .down")?.textContent;

describe.each([
  ["sends texts and no findings", {}],
  [
    "sends a known finding beside an unknown one",
    { findings: [finding("no-ping-reply", { address: "fe80::1" }), finding("lease-ending", {})] },
  ],
  ["sends a finding with other facts", { findings: [finding("no-handshake", { since: "yesterday" })] }],
])("a server that %s", (_, sent) => {
  beforeEach(() => {
    addPeering(backend.state);
    backend.state.loggedInAs = participant.asn;
    backend.reply("getPeerStatus", [{ ...specified, ...sent }]);
  });

  it("has its words and issues in the list, in the cards and on every tab", async () => {
    const { user, address, router } = await openApp("/manager");
    const panel = within(await screen.findByRole("region", { name: "Current peerings" }));
    expect(bubble(await panel.findByRole("listitem"))).toBe("Issues");
    expect(panel.getByRole("img", { name: /^Path: / }).ariaLabel).toBe(
      "Path: Endpoint good, Tunnel degraded, Session degraded, Routes unknown",
    );

    await router.navigate({ href: "/manager?node=syd01" });
    const wireguard = await screen.findByRole("region", { name: "Wireguard" });
    const issues = within(wireguard).getAllByRole("listitem");
    expect(issues.map(({ textContent }) => textContent)).toEqual([issue]);
    expect(bubble(wireguard)).toBe("Issues");
    const bgp = screen.getByRole("region", { name: "BGP" });
    expect(within(bgp).queryAllByRole("listitem")).toEqual([]);
    expect(bubble(bgp)).toBe("Issues");

    await router.navigate({ href: "/manager?node=syd01&tab=troubleshooting" });
    await screen.findByRole("heading", { name: "Actions" });
    const heading = screen.getByRole("heading", { name: "syd01.dn42.example.net" });
    expect(heading.nextElementSibling?.textContent).toBe("Issues");
    await user.click(screen.getByRole("link", { name: "How to fix it" }));
    const [, hash = ""] = address().split("#");
    await waitFor(() => expect(document.getElementById(hash)?.textContent).toContain(issue));
  });
});

function finding(code: string, facts: Readonly<Record<string, string>>) {
  return { code, facts };
}
