import * as v from "valibot";
import { expect, test } from "vitest";
import { nodeHistories, nodeStatus, peerConfig, peerStatus, provider, taskState } from "./lenient.ts";

const status = { node: "syd01", bgp_status: "OK", wg_status: { state: "Up" }, latency: "" };
const config = { bgp_ipv4: "Yes", bgp_ipv6: "No" };

const up = { state: "Up" };
const noCounts = { ok: [], issues: [], down: [] };

test.each([
  ["the kind of a task", taskState, { status: "waiting", kind: "update" }, { kind: undefined }],
  ["the node of a task", taskState, { status: "waiting", node: null }, { node: undefined }],
  ["a deployment", peerStatus, { ...status, deployment: { id: 7 } }, { bgp_status: "OK", deployment: null }],
  ["the reachability of a node", peerStatus, { ...status, known: null }, { bgp_status: "OK", known: true }],
  ["the reachability in a node status", nodeStatus, { status: "OK", known: "yes" }, { known: true }],
  ["the family", peerConfig, { ...config, address_family: "both" }, { address_family: "IPv4" }],
  ["a generation", peerConfig, { ...config, generation: "7" }, { bgp_ipv4: "Yes", generation: undefined }],
  ["a handshake", peerStatus, { ...status, wg_status: { ...up, handshake: null } }, { wg_status: up }],
  [
    "a history",
    nodeHistories,
    { quartersFrom: 0, daysFrom: 0, nodes: [{ node: "syd01", now: 1, quarters: noCounts, days: noCounts }] },
    { nodes: [{ node: "syd01", now: null }] },
  ],
])("%s with a value of another server counts as missing", (_, schema, response, expected) => {
  expect(v.parse(schema as v.GenericSchema, response)).toMatchObject(expected);
});

test("known status words are accepted in any case, and others are left as they are", () => {
  const words = { ...status, bgp_status: "ok", wg_status: { state: "UP" } };
  expect(v.parse(peerStatus, words)).toMatchObject({ bgp_status: "OK", wg_status: { state: "Up" } });
  expect(v.parse(nodeStatus, { status: "Draining" })).toMatchObject({ status: "Draining" });
});

test("a profile needs a name and the nodes' names and coordinates", () => {
  const nodes = [{ name: "ams1", lat: 52.4, lon: 4.9 }];
  expect(v.parse(provider, { name: "Example", nodes, demo: null, map: null, dashboards: [] })).toMatchObject({
    name: "Example",
    nodes: [{ ...nodes[0], place: "" }],
    demo: false,
    map: { tiles: "" },
    dashboards: { node_cpu: "" },
  });
});
