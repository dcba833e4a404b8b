import { expect, test } from "vitest";
import { renderedPeerings } from "../../fixtures/peerings.ts";
import { renderWireguard } from "./render.ts";

const privateKey = Buffer.alloc(32, 7).toString("base64");

test.each(Object.entries(renderedPeerings))("%s", async (name, peering) => {
  await expect(renderWireguard(peering, privateKey)).toMatchFileSnapshot(`golden/${name}.conf`);
});
