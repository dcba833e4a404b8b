import { expect, test } from "vitest";
import { dashboardUrl } from "./dashboard-url.ts";

const range = "from=now-3h&to=now";

test("fills every placeholder, encoded", () => {
  expect(
    dashboardUrl("https://g.example.org/d?var-node={node}&var-asn={asn}&again={node}", {
      node: "a&b=c/{asn}",
      asn: "4242420001",
    }),
  ).toBe(
    `https://g.example.org/d?var-node=a%26b%3Dc%2F%7Basn%7D&var-asn=4242420001&again=a%26b%3Dc%2F%7Basn%7D&${range}`,
  );
});

test.each([
  ["https://g.example.org/d", `https://g.example.org/d?${range}`],
  ["https://g.example.org/d?", `https://g.example.org/d?${range}`],
  ["https://g.example.org/d?panelId=1&", `https://g.example.org/d?panelId=1&${range}`],
  ["https://g.example.org/d?kiosk#panel?from=1", `https://g.example.org/d?kiosk&${range}#panel?from=1`],
  ["/grafana/d#panel", `/grafana/d?${range}#panel`],
  ["https://g.example.org/d?var-from=a", `https://g.example.org/d?var-from=a&${range}`],
])("adds three hours to %s", (template, url) => {
  expect(dashboardUrl(template, {})).toBe(url);
});

test.each([
  "https://g.example.org/d?from=now-3h&to=now",
  "https://g.example.org/d?panelId=1&from=now-6h#panel",
  "https://g.example.org/d?to=now-5m",
  "about:blank#panel",
])("keeps %s", (template) => {
  expect(dashboardUrl(template, {})).toBe(template);
});
