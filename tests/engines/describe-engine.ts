/** Registers scenarios as tests of one engine. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startNetworkProxy } from "../e2e/network-proxy.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { signUp } from "../integration/server/participant.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";
import type { Engine, EngineName } from "./engine.ts";
import type { Scenario, Scene } from "./scene.ts";
import { createScreen } from "./screen.ts";
import { deviceScenario } from "./scenarios/device.ts";
import { peeringScenario } from "./scenarios/peering.ts";

/** With each commit, one in each engine: the first one in Firefox with the last one in WebKit, or the reverse. */
const scenarios: Readonly<Record<EngineName, readonly Scenario[]>> = {
  Firefox: oneOfCommit([peeringScenario, deviceScenario]),
  WebKit: oneOfCommit([deviceScenario, peeringScenario]),
};

/**
 * Console errors that are allowed in all scenarios. When a page is left, Firefox and WebKit first break its requests, and
 * the app logs them. In Firefox, a response whose headers have arrived is "aborted". Firefox
 * also reports a request that the page ends while it receives the response from the service worker. A rejection in the
 * worker has another text.
 */
const allowedErrors: Readonly<Record<EngineName, readonly RegExp[]>> = {
  Firefox: [
    /^Call failed: .* gave no response: NetworkError when attempting to fetch resource\.$/,
    /^Call failed: .* gave no response: The operation was aborted\. $/,
    /ChunkLoadError: A part of the app is missing\. error loading dynamically imported module/,
    /Failed to load .* A ServiceWorker intercepted the request and encountered an unexpected error\.$/,
  ],
  WebKit: [/^Call failed: .* gave no response: Load failed$/],
};

const password = "a sentence for the tests";

export function describeEngine(name: EngineName, start: () => Promise<Engine>): void {
  describe(`in ${name}`, () => {
    let engine: Engine;
    let demo: DemoServer;

    beforeAll(async () => {
      [engine, demo] = await Promise.all([start(), demoServer({ hasTiles: false })]);
    });
    afterAll(async () => {
      await engine[Symbol.asyncDispose]();
      await demo[Symbol.asyncDispose]();
    });

    test.each(scenarios[name])("$name", async ({ run, asn }) => {
      const participant = await signUp(demo.url, asn, password);
      await using proxy = await startNetworkProxy(demo.url);
      await using tab = await engine.openTab(proxy.url);
      const allowed = [...allowedErrors[name]];
      const scene: Scene = {
        engine: name,
        screen: await createScreen(tab),
        participant,
        password,
        proxy,
        allowConsoleErrors: (pattern) => void allowed.push(pattern),
      };
      await run(scene);
      const unexpected = tab
        .consoleErrors()
        .filter((error) => !allowed.some((pattern) => pattern.test(error)));
      // A failure prints its message whole.
      expect(unexpected, `In the console:\n${unexpected.join("\n")}`).toEqual([]);
    });
  });
}
