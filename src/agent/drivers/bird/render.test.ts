import { expect, test } from "vitest";
import { peeringOf, routed, renderedPeerings } from "../../fixtures/peerings.ts";
import { renderBirdPeering } from "./render.ts";

const options = { providerAsn: "4242422227" };

test.each(Object.entries(renderedPeerings))("%s", async (name, peering) => {
  await expect(renderBirdPeering(peering, options)).toMatchFileSnapshot(`golden/${name}.conf`);
});

test("throws for a session without addresses of its family", () => {
  const peering = peeringOf(1, { addressFamily: "IPv4", extendedNextHop: false });
  expect(() => renderBirdPeering(routed(peering), options)).toThrow(
    "dn42_4242420001_v4 runs over IPv4, but the peering has no IPv4 addresses",
  );
});
