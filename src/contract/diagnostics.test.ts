import * as v from "valibot";
import { expect, test } from "vitest";
import { refusedRoutes } from "./diagnostics.ts";

test("refused routes from a server of an older build are read, without the fix", () => {
  const route = {
    prefix: "0.0.0.0/0",
    family: "IPv4",
    origin: "4242420001",
    as_path: "4242420001",
    reason: "default route",
    explanation: "0.0.0.0/0 is a default route.",
    object: "",
  };
  const response = { routes: [route], totals: { ipv4: 1, ipv6: 0 }, cut: false, limits: [] };
  expect(v.parse(refusedRoutes, response).routes).toEqual([{ ...route, fix: "" }]);
});
