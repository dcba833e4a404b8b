import { expect, test } from "vitest";
import { type CallName, calls } from "#contract/calls.ts";
import { liveEvents, livePath } from "#contract/live-events.ts";
import { renderApiPage } from "#server/site/api-page.ts";
import { callDescriptions } from "#server/api/description/call-descriptions.ts";
import { createOpenApiDocument } from "#server/api/description/openapi.ts";

const document = createOpenApiDocument({
  title: "Example & Co",
  version: "1.0.0-beta.1",
  url: "https://peering.example.net",
  urls: ["https://peering.example.net"],
});

test("the document describes every call of the contract, with its errors", () => {
  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const names = described.map(({ operationId }) => operationId);
  expect(names.toSorted()).toEqual([...Object.keys(calls), "events"].toSorted());
  for (const name of Object.keys(calls) as CallName[]) {
    const operation = described.find(({ operationId }) => operationId === name);
    expect(operation?.security).toEqual(calls[name].access === "participant" ? [{ session: [] }] : []);
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining(["200", ...Object.keys(callDescriptions[name].errors ?? {})]),
    );
  }
});

test("the document describes every live event with its data", () => {
  const { responses, security } = document.paths[livePath]?.["get"] ?? {};
  expect(security).toEqual([{ session: [] }]);
  expect(Object.keys(responses ?? {})).toEqual(["200", "401", "403", "429"]);
  const described = JSON.stringify(responses?.["200"]?.content["text/event-stream"]);
  for (const name of Object.keys(liveEvents)) expect(described).toContain(`{"const":"${name}"}`);
});

test("the document describes the two-item body of an update", () => {
  const body = document.paths["/api/updatePeerConfig"]?.["post"]?.requestBody;
  expect(body).toMatchObject({
    required: true,
    content: { "application/json": { schema: { type: "array", minItems: 2, items: false } } },
  });
});

test("the document is valid JSON", () => {
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});

test("the page lists every path, has no scripts and escapes the name", async () => {
  const page = String(await renderApiPage(document));
  for (const path of [...Object.values(calls).map((call) => call.path), livePath])
    expect(page).toContain(path);
  expect(page).toContain("Example &amp; Co");
  expect(page).not.toMatch(/<script| on[a-z]+=/);
});

test.each([
  ["https://peering.example.net", "__Host-peerdeck"],
  ["http://127.0.0.1:4242", "peerdeck"],
])("for %s the document names the cookie %s", (url, name) => {
  const { components } = createOpenApiDocument({ title: "Example", version: "1.0.0", url, urls: [url] });
  expect(components["securitySchemes"]).toEqual({ session: { type: "apiKey", in: "cookie", name } });
});
