import { html } from "hono/html";
import type { OpenApiDocument, Operation } from "../api/description/openapi.ts";
import { mainJob } from "./main-job.ts";
import { type Html, renderPlainPage } from "./plain-page.ts";

/** Built from `src/web/api-page.ts`. */
const script = "/api-page.js";

/** Renders the OpenAPI document as a page on which calls can be tried. */
export function renderApiPage({ info, servers, tags, paths, components }: OpenApiDocument): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return renderPlainPage(
    info.title,
    html`<p>
        ${prose(info.description)} The document: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI
        3.1).
      </p>
      <h2>Authentication</h2>
      <dl>
        ${Object.entries(components.securitySchemes).map(
          ([name, { description }]) =>
            html`<dt><code>${name}</code></dt>
              <dd>${prose(String(description))}</dd>`,
        )}
      </dl>
      <p>The <code>username</code> in a body must be your own AS number.</p>
      ${trial(servers[0]?.url ?? "")}
      <nav aria-label="Calls">
        <ul>
          ${[...tags.map(({ name }) => name), "Schemas"].map(
            (name) => html`<li><a href="#${toId(name)}">${name}</a></li>`,
          )}
        </ul>
      </nav>
      ${tags.map(
        ({ name, description }) =>
          html`<h2 id="${toId(name)}">${name}</h2>
            <p>${prose(description)}</p>
            ${operations
              .filter(({ operation }) => operation.tags[0] === name)
              .map(({ path, method, operation }) => article(path, method, operation))}`,
      )}
      <h2 id="schemas">Schemas</h2>
      ${Object.entries(components.schemas).map(
        ([name, schema]) =>
          html`<h3 id="schema-${name}">${name}</h3>
            <pre>${printSchema(schema)}</pre>`,
      )}
      <script type="module" src="${script}"></script>`,
  );
}

function trial(url: string): Html {
  return html`<p>
      <label>
        API token, for trying calls on this page
        <input id="token" type="password" autocomplete="off" spellcheck="false" />
      </label>
      It stays in this field: the page does not store it, and a reload removes it. Calls that you try are
      real.
    </p>
    <details>
      <summary>The main job with curl: nodes, create, wait, status, edit, delete</summary>
      <p>
        For bash, with curl 7.82 or newer and jq. The file <code>peerdeck-token</code> in your home folder
        contains the line <code>Authorization: Bearer YOUR_TOKEN</code>.
      </p>
      <pre>${mainJob(url)}</pre>
    </details>`;
}

function article(path: string, method: string, operation: Operation): Html {
  const { "200": done, ...others } = operation.responses;
  return html`<article id="${operation.operationId}">
    <h3><code>${method} ${path}</code></h3>
    <p><strong>${operation.summary}.</strong> ${prose(operation.description)}</p>
    ${content("Request", operation.requestBody?.content)} ${content("Response", done?.content)}
    <details>
      <summary>Other responses</summary>
      <table>
        ${Object.entries(others).map(
          ([status, { description }]) =>
            html`<tr>
              <th scope="row"><code>${status}</code></th>
              <td>${prose(description)}</td>
            </tr>`,
        )}
      </table>
    </details>
    ${canTry(operation) ? form(path, method, operation) : ""}
  </article>`;
}

/** Calls that need a login session cannot be tried: the page sends no cookie. */
function canTry({ security, responses }: Operation): boolean {
  const isStream = responses["200"]?.content?.["text/event-stream"] !== undefined;
  return !isStream && (security.length === 0 || takesToken(security));
}

function takesToken(security: Operation["security"]): boolean {
  return security.some((scheme) => "token" in scheme);
}

/** Hidden until the page's script runs. */
function form(path: string, method: string, { requestBody, security }: Operation): Html {
  const example = requestBody?.content["application/json"]?.example;
  const body = example === undefined ? null : JSON.stringify(example, null, 2);
  return html`<details>
    <summary>Try it</summary>
    <noscript>This needs JavaScript.</noscript>
    <form data-path="${path}" data-method="${method}" ${takesToken(security) ? "data-token" : ""} hidden>
      ${
        body === null
          ? ""
          : html`<label>
              Body
              <textarea rows="${body.split("\n").length}" spellcheck="false" autocomplete="off">
${body}</textarea>
            </label>`
      }
      <button>Send</button>
      <output></output>
    </form>
  </details>`;
}

function content(title: string, types: Operation["responses"][string]["content"]): Html | "" {
  const [first] = Object.values(types ?? {});
  if (!first) return "";
  const { schema, example } = first;
  return html`<details>
    <summary>${title}</summary>
    ${
      example === undefined
        ? ""
        : html`<p>Example:</p>
            <pre>${JSON.stringify(example, null, 2)}</pre>`
    }
    <p>Schema:</p>
    <pre>${printSchema(schema)}</pre>
  </details>`;
}

/** As JSON, in which names of schemas are links. */
function printSchema(schema: unknown): readonly (string | Html)[] {
  return JSON.stringify(schema, null, 2)
    .split(/"#\/components\/schemas\/(\w+)"/)
    .map((part, index) => (index % 2 === 0 ? part : html`<a href="#schema-${part}">"${part}"</a>`));
}

/** Text between backticks is code. */
function prose(text: string): readonly (string | Html)[] {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

function toId(tag: string): string {
  return tag.toLowerCase().replaceAll(" ", "-");
}
