import { expect, test } from "vitest";
import { peeringOf, routed } from "../../fixtures/peerings.ts";
import { renderedPeerings } from "../../fixtures/rendered-peerings.ts";
import { renderBirdPeering } from "./render.ts";

const options = { providerAsn: "4242422227" };

test.each(Object.entries(renderedPeerings))("%s", async (name, peering) => {
  await expect(renderBirdPeering(peering, options)).toMatchFileSnapshot(`golden/${name}.conf`);
});

test("a session without addresses of its family is not rendered", () => {
  const peering = peeringOf(1, { addressFamily: "IPv4", extendedNextHop: false });
  expect(() => renderBirdPeering(routed(peering), options)).toThrow(
    "dn42_4242420001_v4 runs over IPv4, and the peering has no addresses for it",
  );
});
