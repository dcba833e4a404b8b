import { html } from "hono/html";
import type { OpenApiDocument, Operation } from "./openapi.ts";

type Html = ReturnType<typeof html>;

/** The OpenAPI document as a page to read, without scripts. */
export function apiPage({ info, paths }: OpenApiDocument): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <link rel="icon" href="/favicon.svg" />
      <title>${info.title}</title>
      <style>
        :root {
          color-scheme: light dark;
          font:
            16px/1.5 system-ui,
            sans-serif;
        }
        body {
          max-width: 60rem;
          margin: 2rem auto;
          padding: 0 1rem;
        }
        h2 {
          font-size: 1rem;
          margin: 0;
          overflow-wrap: anywhere;
        }
        code,
        pre {
          font-family: ui-monospace, monospace;
          font-size: 0.875rem;
        }
        pre {
          overflow-x: auto;
          padding: 0.75rem;
          background: color-mix(in srgb, currentColor 7%, transparent);
          border-radius: 6px;
        }
        article {
          padding: 1rem 0;
          border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent);
        }
        table {
          border-collapse: collapse;
        }
        td {
          padding: 0.125rem 1rem 0.125rem 0;
          vertical-align: top;
        }
        summary {
          cursor: pointer;
        }
      </style>
      <h1>${info.title}</h1>
      <p>
        ${info.description} The document itself: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI
        3.1).
      </p>
      <p>
        Sign in with <code>/api/login/</code> and send the cookie that it sets. A body's
        <code>username</code> must be your own AS number.
      </p>
      ${operations.map(({ path, method, operation }) => article(path, method, operation))}
    </html>`;
}

function article(path: string, method: string, operation: Operation): Html {
  const { "200": done, ...refusals } = operation.responses;
  return html`<article id="${operation.operationId}">
    <h2><code>${method} ${path}</code></h2>
    <p>${operation.summary}. ${operation.security.length > 0 ? "Signed in only." : "Open to anybody."}</p>
    ${operation.requestBody ? schema("Body", operation.requestBody["content"]) : ""}
    ${schema("Answer", done?.content)}
    <table>
      ${Object.entries(refusals).map(
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
  const { "application/json": json } = content as { "application/json": { schema: unknown } };
  return html`<details>
    <summary>${title}</summary>
    <pre>${JSON.stringify(json.schema, null, 2)}</pre>
  </details>`;
}
