/** The dashboard has the worker cache the configurations, for when the network fails. */
import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { addPeering, sampleUpdate } from "#mocks/samples.ts";
import { submitUpdate } from "#mocks/deployments.ts";
import { participant } from "#mocks/state.ts";
import { peer, provider } from "../../spec/scenarios/overview.ts";
import type { ReceivedCall } from "../../support/scripted-backend.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();
const nodes = ["syd01", "de01", "ny01"];
const bothOf = (...names: readonly string[]) =>
  names.flatMap((node) => [`config of ${node}`, `node config of ${node}`]);

const worker = Object.assign(new EventTarget(), {
  controller: null as object | null,
  ready: new Promise(() => {}),
  getRegistration: async () => undefined,
});
const connection = { saveData: false, effectiveType: "4g" };

/** The requests for configurations, in their order. */
let requests: string[];
/** The number of requests for configurations that were pending together. */
let mostPending: number;

beforeEach(() => {
  worker.controller = {};
  Object.assign(connection, { saveData: false, effectiveType: "4g" });
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: worker });
  Object.defineProperty(navigator, "connection", { configurable: true, value: connection });
  backend.state.loggedInAs = participant.asn;
  for (const node of nodes) addPeering(backend.state, { node });
  requests = [];
  mostPending = 0;
  let pending = 0;
  const record = (what: string, bodyFor: (node: string) => object) => async (call: ReceivedCall) => {
    const { node } = call.body as { readonly node: string };
    requests.push(`${what} of ${node}`);
    mostPending = Math.max(mostPending, ++pending);
    await new Promise((resolve) => void setTimeout(resolve));
    pending--;
    return Response.json(bodyFor(node));
  };
  backend.reply("getPeeringConfigs", () => {
    requests.push("all configs");
    return Response.json(nodes.map((node) => ({ node, peer: { ...peer, remote: `${node}:1` }, provider })));
  });
  backend.reply(
    "getPeerConfig",
    record("config", (node) => ({ [node]: peer })),
  );
  backend.reply(
    "getNodeConfig",
    record("node config", () => provider),
  );
});
afterEach(() => {
  Reflect.deleteProperty(navigator, "serviceWorker");
  Reflect.deleteProperty(navigator, "connection");
});

/** Opens the dashboard, and returns a function that waits until the app has nothing left to request. */
async function openDashboard() {
  const { router } = await openApp("/manager");
  await screen.findByRole("link", { name: "View ny01.dn42.example.net" });
  const { queryClient } = router.options.context;
  const settled = async () => {
    await act(async () => {});
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    await act(async () => {});
  };
  await settled();
  return { router, queryClient, settled };
}

/** A server of section 7 alone. */
const withoutOwnCall = () => backend.refuse("getPeeringConfigs", 404, { message: "There is no such call." });

it("requests those of every peering with one call, and not again while they are fresh", async () => {
  const { router, settled } = await openDashboard();
  await waitFor(() => expect(requests).toEqual(["all configs"]));
  await act(() => router.navigate({ to: "/manager", search: { view: "contact" } }));
  await act(() => router.navigate({ to: "/manager" }));
  await screen.findByRole("link", { name: "View ny01.dn42.example.net" });
  await settled();
  // A screen shows them without a request.
  await act(() => router.navigate({ to: "/manager", search: { node: "de01", tab: "edit" } }));
  expect(await screen.findByText("de01:1")).toBeTruthy();
  expect(requests).toEqual(["all configs"]);
});

it("requests one again after its deployment, not before", async () => {
  const { taskID } = submitUpdate(backend.state, participant.asn, { ...sampleUpdate, node: "de01" });
  const { queryClient, settled } = await openDashboard();
  await waitFor(() => expect(requests).toEqual(["all configs"]));
  await settled();
  expect(queryClient.getQueryData(["peerings", participant.asn, "config", "de01"])).toBeUndefined();
  backend.state.tasks = backend.state.tasks.filter(({ task }) => task.taskID !== taskID);
  await act(() => queryClient.invalidateQueries({ queryKey: ["peerings", participant.asn, "status"] }));
  await waitFor(() => expect(requests).toEqual(["all configs", ...bothOf("de01")]));
});

it("requests those of five peerings of a server without that call, one at a time, the worst first", async () => {
  withoutOwnCall();
  for (const node of ["sin01", "za01"]) addPeering(backend.state, { node });
  addPeering(backend.state, { node: "per01" }, "Down");
  const { settled } = await openDashboard();
  await waitFor(() => expect(requests).toHaveLength(10));
  await settled();
  expect(requests).toEqual(bothOf("per01", ...nodes, "sin01"));
  expect(mostPending).toBe(1);
});

it("stops at the first failure, and shows nothing of it", async () => {
  withoutOwnCall();
  backend.refuse("getNodeConfig", 503, { message: "Not now." });
  const { settled } = await openDashboard();
  await waitFor(() => expect(requests).toEqual(["config of syd01"]));
  await settled();
  expect(requests).toEqual(["config of syd01"]);
  expect(backend.sent("getNodeConfig")).toHaveLength(1);
  expect(screen.queryByRole("alert")).toBeNull();
});

it.each([
  ["the user wants to save data", () => (connection.saveData = true)],
  ["no worker would cache them", () => (worker.controller = null)],
])("requests nothing if %s", async (_, set) => {
  set();
  const { settled } = await openDashboard();
  await settled();
  expect(requests).toEqual([]);
});

it("waits on a first visit until the worker is in control, and lets it cache the status too", async () => {
  worker.controller = null;
  await openDashboard();
  expect(requests).toEqual([]);
  const before = backend.sent("getPeerStatus").length;
  worker.controller = {};
  act(() => void worker.dispatchEvent(new Event("controllerchange")));
  await waitFor(() => expect(requests).toEqual(["all configs"]));
  expect(backend.sent("getPeerStatus").length).toBeGreaterThan(before);
});
