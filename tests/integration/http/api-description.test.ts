import * as v from "valibot";
import { expect, test } from "vitest";
import type { Call } from "#contract/call.ts";
import { type CallName, calls } from "#contract/calls.ts";
import { liveEvents, livePath } from "#contract/live-events.ts";
import { renderApiPage } from "#server/site/api-page.ts";
import { callDescriptions } from "#server/api/description/call-descriptions.ts";
import { findTokenScope } from "#server/api/tokens/token-scopes.ts";
import { createOpenApiDocument, type Operation } from "#server/api/description/openapi.ts";

const about = { name: "Example & Co", version: "1.0.0-beta.1" };
const url = "https://peering.example.net";
const document = createOpenApiDocument({ ...about, url, urls: [url] });
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const names = Object.keys(calls) as CallName[];

/** What a participant's call accepts, by its scope. */
const security = {
  none: [{ cookie: [] }],
  read: [{ cookie: [] }, { token: [] }],
  change: [{ cookie: [] }, { token: [] }],
};
const access = {
  none: /Needs a login session(?:; accepts no token)?\.$/,
  read: /Needs a login session, or a token of any scope\.$/,
  change: /Needs a login session, or a token with the scope `change`\.$/,
};

test("the document has an operation for every call, and one for the event stream", () => {
  const described = operations.map(({ operationId }) => operationId);
  expect(described.toSorted()).toEqual([...names, "events"].toSorted());
});

test.each(names)("%s is described with its tag, access and errors", (name) => {
  const call: Call = calls[name];
  const operation = operations.find(({ operationId }) => operationId === name);
  const scope = findTokenScope(name) ?? "none";
  const isPublic = call.access === "public";
  expect(operation?.security).toEqual(isPublic ? [] : security[scope]);
  expect(operation?.description).toMatch(isPublic ? /Public\.$/ : access[scope]);
  expect(document.tags.map((tag) => tag.name)).toContain(operation?.tags[0]);
  expect(Object.keys(operation?.responses ?? {})).toEqual(
    expect.arrayContaining(["200", ...Object.keys(callDescriptions[name].errors ?? {})]),
  );
  expect(callDescriptions[name].summary).not.toMatch(/\.$/);
  expect(callDescriptions[name].description).toMatch(/\.$/);
});

test.each(names.filter((name) => calls[name].body))("the example of %s is a valid body", (name) => {
  const operation = operations.find(({ operationId }) => operationId === name);
  const { example } = operation?.requestBody?.content["application/json"] ?? {};
  const { success } = v.safeParse(calls[name].body as v.GenericSchema, example);
  expect(success).toBe(true);
});

test("a call that has limits says their numbers", () => {
  const operation = operations.find(({ operationId }) => operationId === "updatePeerConfig");
  expect(operation?.description).toContain(
    "At most 20 changes of a peering in a minute. At most 60 changes of all peerings of an AS in a minute. " +
      "At most 500 changes of all peerings of an AS in a day.",
  );
});

test("the document describes every live event with its data", () => {
  const { responses, security: schemes } = document.paths[livePath]?.["get"] ?? {};
  expect(schemes).toEqual([{ cookie: [] }]);
  expect(Object.keys(responses ?? {})).toEqual(["200", "401", "403", "429"]);
  const described = JSON.stringify(responses?.["200"]?.content?.["text/event-stream"]);
  for (const name of Object.keys(liveEvents)) expect(described).toContain(`{"const":"${name}"}`);
});

test("the document describes the two-item body of an update", () => {
  const body = document.paths["/api/updatePeerConfig"]?.["post"]?.requestBody;
  const [caller, update] = ["Caller", "PeerUpdate"].map((name) => ({
    $ref: `#/components/schemas/${name}`,
  }));
  expect(body?.content["application/json"]?.schema).toEqual({
    type: "array",
    prefixItems: [caller, update],
    items: { anyOf: [caller, update] },
    minItems: 2,
    maxItems: 2,
  });
});

test("every reference leads to a schema, and every schema is used", () => {
  const text = JSON.stringify(document);
  const used = new Set(
    Array.from(text.matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name = ""]) => name),
  );
  expect([...used].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted());
});

test("the document is valid JSON", () => {
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});

const withToken = {
  ...document,
  paths: {
    "/api/session": { post: sampleOperation("session", [{ cookie: [] }]) },
    "/api/token": { post: sampleOperation("token", [{ cookie: [] }, { token: [] }]) },
    "/api/open": { post: sampleOperation("open", []) },
  },
  components: {
    ...document.components,
    securitySchemes: { token: { description: "<b>A token</b> with `code`." } },
  },
};

function sampleOperation(operationId: string, schemes: readonly object[]): Operation {
  const body = { "application/json": { schema: {}, example: { text: "</textarea>" } } };
  return {
    operationId,
    tags: ["Account"],
    summary: "A call",
    description: "It does something.",
    security: schemes as Operation["security"],
    requestBody: { required: true, content: body },
    responses: { 200: { description: "Done", content: body } },
  };
}

test("the page lists every path, escapes the name and has no inline script", async () => {
  const page = String(await renderApiPage(document));
  for (const path of Object.keys(document.paths)) expect(page).toContain(path);
  expect(page).toContain("Example &amp; Co");
  expect(page).not.toMatch(/<script(?! type="module" src="\/api-page\.js"><)| on[a-z]+=/);
  const other = String(await renderApiPage(withToken));
  expect(other).toContain("&lt;b&gt;A token&lt;/b&gt; with <code>code</code>.");
  expect(other).toContain("&lt;/textarea&gt;");
});

test("the page has a form for calls that are public or accept a token", async () => {
  const page = String(await renderApiPage(withToken));
  const forms = Array.from(page.matchAll(/<form data-path="([^"]+)" data-method="POST" ?(\S*)/g));
  expect(forms.map(([, path, token]) => [path, token])).toEqual([
    ["/api/token", "data-token"],
    ["/api/open", ""],
  ]);
  expect(page).toContain('<input id="token"');
});

test.each([
  ["https://peering.example.net", "__Host-peerdeck"],
  ["http://127.0.0.1:4242", "peerdeck"],
])("for %s the document names the cookie %s", (publicUrl, name) => {
  const { components } = createOpenApiDocument({ ...about, url: publicUrl, urls: [publicUrl] });
  expect(components.securitySchemes["cookie"]).toMatchObject({ type: "apiKey", in: "cookie", name });
});
