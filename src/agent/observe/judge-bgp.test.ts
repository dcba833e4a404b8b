import { expect, test } from "vitest";
import type { PeeringObservation, SessionObservation } from "../drivers/router.ts";
import { dualStackOf } from "../fixtures/peerings.ts";
import { judgeBgp } from "./judge-bgp.ts";

function observed(...sessions: SessionObservation[]): PeeringObservation {
  return { asn: "4242420001", rxBytes: 0, txBytes: 0, handshakeAgeSeconds: 1, latencyMs: 1, sessions };
}
const v4 = { name: "dn42_4242420001_v4", state: "Established", detail: "" };
const v6 = { name: "dn42_4242420001_v6", state: "Established", detail: "" };
const refused = { ...v6, state: "Active", detail: "Socket: Connection refused" };

const status = (observation?: PeeringObservation) => judgeBgp(dualStackOf(1), observation, "Up").bgpStatus;

test("all sessions up is OK, some is Issues, none is Down, and unknown ones are Not found", () => {
  expect(status(observed(v4, v6))).toBe("OK");
  expect(status(observed(v4, refused))).toBe("Issues");
  expect(status(observed(v4))).toBe("Issues");
  expect(status(observed(refused))).toBe("Down");
  expect(status(observed())).toBe("Not found");
  expect(status()).toBe("Not found");
});

test("each session is shown with its families, and one that is not up with what mends it", () => {
  expect(judgeBgp(dualStackOf(1), observed(v4, refused), "Up")).toEqual({
    bgpStatus: "Issues",
    sessions: [
      { name: "dn42_4242420001_v4", families: ["IPv4"], state: "Established", detail: "" },
      {
        name: "dn42_4242420001_v6",
        families: ["IPv6"],
        state: "Active",
        detail: "Socket: Connection refused",
      },
    ],
    bgpIssues: [
      "dn42_4242420001_v6 is Active (Socket: Connection refused). Check that your BGP daemon runs, that the " +
        "neighbour address and both AS numbers are those under Edit Peering, and that your firewall lets TCP " +
        "port 179 in on the tunnel.",
    ],
  });
});

const advice =
  "Check that your BGP daemon runs, that the neighbour address and both AS numbers are those under Edit Peering, " +
  "and that your firewall lets TCP port 179 in on the tunnel.";

test("two sessions that are down get the advice once, which names both", () => {
  const both = { state: "Active", detail: "Socket: Connection refused" };
  expect(judgeBgp(dualStackOf(1), observed({ ...v4, ...both }, refused), "Up").bgpIssues).toEqual([
    `dn42_4242420001_v4 and dn42_4242420001_v6 are Active (Socket: Connection refused). ${advice}`,
  ]);
  expect(judgeBgp(dualStackOf(1), observed({ ...v4, state: "Connect" }, refused), "Up").bgpIssues).toEqual([
    "dn42_4242420001_v4 is Connect, and dn42_4242420001_v6 is Active (Socket: Connection refused). " + advice,
  ]);
});

test("while the tunnel is down, that is all there is to say of BGP", () => {
  expect(judgeBgp(dualStackOf(1), observed(refused), "Down").bgpIssues).toEqual([
    "BGP waits for the tunnel: mend that first.",
  ]);
});
