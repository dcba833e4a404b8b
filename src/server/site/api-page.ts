import { html } from "hono/html";
import { type Html, renderPlainPage } from "./plain-page.ts";
import type { OpenApiDocument, Operation } from "../api/description/openapi.ts";

/** Renders the OpenAPI document as a page without scripts. */
export function renderApiPage({ info, paths }: OpenApiDocument): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return renderPlainPage(
    info.title,
    html`<p>
        ${info.description} The document: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1).
      </p>
      <p>
        Log in with <code>/api/login/</code> and send its cookie with every request. The
        <code>username</code> in the body must be your own AS number.
      </p>
      ${operations.map(({ path, method, operation }) => article(path, method, operation))}`,
  );
}

function article(path: string, method: string, operation: Operation): Html {
  const { "200": done, ...errors } = operation.responses;
  return html`<article id="${operation.operationId}">
    <h2><code>${method} ${path}</code></h2>
    <p>${operation.summary}. ${operation.security.length > 0 ? "Login required." : "Public."}</p>
    ${operation.requestBody ? schema("Request", operation.requestBody["content"]) : ""}
    ${schema("Response", done?.content)}
    <table>
      ${Object.entries(errors).map(
        ([status, { description }]) =>
          html`<tr>
            <td><code>${status}</code></td>
            <td>${description}</td>
          </tr>`,
      )}
    </table>
  </article>`;
}

function schema(title: string, content: unknown): Html {
  const [first] = Object.values(content as Record<string, { schema: unknown }>);
  return html`<details>
    <summary>${title}</summary>
    <pre>${JSON.stringify(first?.schema, null, 2)}</pre>
  </details>`;
}
