import { calls } from "#contract/calls.ts";
import { peerUpdate, waitForTask } from "../../integration/server/participant.ts";
import type { Scenario } from "../scene.ts";
import { logIn } from "./steps.ts";

export const offlineScenario: Scenario = {
  name: "after one visit, the dashboard opens without the network and shows the last known peerings",
  async run(scene) {
    const { screen, participant, proxy } = scene;
    const { asn, call } = participant;
    const update = peerUpdate({ node: "ny01", peer_ipv6: "fe80::52" });
    const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, update]);
    await waitForTask(participant, taskID);
    await logIn(scene);
    await screen.waitForText("node: ny01");
    await screen.waitUntil(
      "The worker does not control the page",
      () => navigator.serviceWorker.controller !== null,
    );
    // The first page may have loaded before the worker could cache its responses.
    await screen.reload();
    await screen.waitForText("node: ny01");

    scene.allowConsoleErrors(
      /Failed to load (resource|.*ServiceWorker)/,
      "Firefox reports each request that fails without the network.",
    );
    scene.allowConsoleErrors(/^Call failed: .* gave no response/, "The app logs failed reads.");
    proxy.set("down");
    await screen.reload();
    await screen.waitForText("No connection to the server.");
    await screen.waitForText("node: ny01");

    proxy.set("up");
    await screen.reload();
    await screen.waitUntil(
      "The notice stays",
      () => !document.body.innerText.includes("No connection to the server."),
    );
    await screen.waitForText("node: ny01");
  },
};
