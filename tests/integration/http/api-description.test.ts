import { expect, test } from "vitest";
import { calls } from "../../../src/contract/calls.ts";
import { liveEvents, livePath } from "../../../src/contract/live.ts";
import { apiPage } from "../../../src/server/http/api-page.ts";
import { openApiDocument } from "../../../src/server/http/openapi.ts";

const document = openApiDocument(calls, { title: "Example & Co", url: "https://peering.example.net" });

test("every call of the contract is described, with what it refuses", () => {
  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const names = described.map(({ operationId }) => operationId);
  expect(names.toSorted()).toEqual([...Object.keys(calls), "events"].toSorted());
  for (const [name, call] of Object.entries(calls)) {
    const operation = described.find(({ operationId }) => operationId === name);
    expect(operation?.security).toEqual(call.access === "session" ? [{ session: [] }] : []);
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining(["200", ...Object.keys(call.refusals)]),
    );
  }
});

test("the live events are described, each with its data", () => {
  const { responses, security } = document.paths[livePath]?.["get"] ?? {};
  expect(security).toEqual([{ session: [] }]);
  expect(Object.keys(responses ?? {})).toEqual(["200", "401", "403", "429"]);
  const described = JSON.stringify(responses?.["200"]?.content["text/event-stream"]);
  for (const name of Object.keys(liveEvents)) expect(described).toContain(`{"const":"${name}"}`);
});

test("the two-item body of an update is described as such", () => {
  const body = document.paths["/api/updatePeerConfig"]?.["post"]?.requestBody;
  expect(body).toMatchObject({
    required: true,
    content: { "application/json": { schema: { type: "array", minItems: 2, items: false } } },
  });
});

test("the document is plain JSON", () => {
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});

test("the page names every path, runs no script and shows a name as text", async () => {
  const page = String(await apiPage(document));
  for (const path of [...Object.values(calls).map((call) => call.path), livePath])
    expect(page).toContain(path);
  expect(page).toContain("Example &amp; Co");
  expect(page).not.toMatch(/<script| on[a-z]+=/);
});

test.each([
  ["https://peering.example.net", "__Host-peerdeck"],
  ["http://127.0.0.1:4242", "peerdeck"],
])("at %s the cookie is named %s, as the server sets it", (url, name) => {
  const { components } = openApiDocument(calls, { title: "Example", url });
  expect(components["securitySchemes"]).toEqual({ session: { type: "apiKey", in: "cookie", name } });
});
