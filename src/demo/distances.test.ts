import { join } from "node:path";
import { expect, test } from "vitest";
import { readProfile } from "../server/config/profile-file.ts";
import { createDistances } from "./distances.ts";

const { nodes } = await readProfile(join(import.meta.dirname, "provider.toml"));
const { betweenNodes, toEndpoint } = createDistances(nodes);
const names = nodes.map(({ name }) => name);

test("an endpoint is in one place, so that its round trips cannot contradict those between the nodes", () => {
  for (const endpoint of Array.from({ length: 60 }, (_, index) => `198.51.100.${index}`)) {
    const trips = new Map(names.map((name) => [name, toEndpoint(name, endpoint)]));
    for (const [a, fromA] of trips) {
      expect(fromA).toBeGreaterThan(1);
      // A packet cannot go from node to node through the endpoint faster than directly.
      for (const [b, fromB] of trips) if (a !== b) expect(fromA + fromB).toBeGreaterThan(betweenNodes(a, b));
    }
  }
});
