import { expect, test } from "vitest";
import { dashboardUrl, sandboxOf } from "./dashboard-url.ts";

test("fills every placeholder, encoded", () => {
  expect(
    dashboardUrl("https://g.example.org/d?var-node={node}&var-asn={asn}&again={node}", {
      node: "a&b=c/{asn}",
      asn: "4242420001",
    }),
  ).toBe(
    "https://g.example.org/d?var-node=a%26b%3Dc%2F%7Basn%7D&var-asn=4242420001&again=a%26b%3Dc%2F%7Basn%7D",
  );
});

test.each([
  ["https://g.example.org/d", "allow-scripts allow-same-origin"],
  ["https://app.example.net:8443/d", "allow-scripts allow-same-origin"],
  ["https://app.example.net/d", "allow-scripts"],
  ["/grafana/d", "allow-scripts"],
])("a frame of %s may %s", (url, sandbox) => {
  expect(sandboxOf(url, "https://app.example.net")).toBe(sandbox);
});
