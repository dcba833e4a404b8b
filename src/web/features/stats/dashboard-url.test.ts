import { expect, test } from "vitest";
import { dashboardUrl } from "./dashboard-url.ts";

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
