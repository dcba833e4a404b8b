import { html } from "hono/html";

export type Html = ReturnType<typeof html>;

/** Renders a page that needs no script, such as the API page or the demo's mail. */
export function renderPlainPage(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <link rel="icon" href="/favicon.svg" />
      <title>${title}</title>
      <style>
        :root {
          color-scheme: light dark;
          background: Canvas;
          color: CanvasText;
          --line: color-mix(in srgb, currentColor 20%, transparent);
          font:
            16px/1.5 system-ui,
            sans-serif;
        }
        body {
          max-width: 56rem;
          margin: 2rem auto;
          padding: 0 1rem;
        }
        h2,
        h3 {
          font-size: 1.125rem;
          overflow-wrap: anywhere;
        }
        article {
          padding: 0.5rem 0 1rem;
          border-top: 1px solid var(--line);
        }
        code,
        pre {
          font-family: ui-monospace, monospace;
          font-size: 0.875rem;
        }
        pre {
          padding: 0.75rem 1rem;
          border: 1px solid var(--line);
          border-radius: 6px;
          white-space: pre-wrap;
          overflow-wrap: anywhere;
        }
        table {
          border-collapse: collapse;
        }
        th,
        td {
          padding: 0.125rem 1rem 0.125rem 0;
          text-align: start;
          vertical-align: top;
        }
        dl {
          display: grid;
          grid-template-columns: max-content 1fr;
          gap: 0.25rem 1rem;
        }
        dt {
          font-weight: 600;
        }
        dd {
          margin: 0;
        }
        form {
          display: flex;
          flex-wrap: wrap;
          gap: 0.5rem;
          align-items: center;
          margin: 0.5rem 0;
        }
        form strong {
          min-width: 4rem;
        }
        [hidden] {
          display: none;
        }
        label,
        output {
          width: 100%;
        }
        input,
        textarea {
          display: block;
          box-sizing: border-box;
          width: 100%;
          padding: 0.25rem 0.5rem;
          font:
            0.875rem/1.5 ui-monospace,
            monospace;
        }
        button {
          font: inherit;
          padding: 0.25rem 0.75rem;
        }
        button[aria-pressed="true"] {
          font-weight: 700;
          outline: 2px solid currentColor;
        }
        summary {
          cursor: pointer;
        }
      </style>
      <main>
        <h1>${title}</h1>
        ${body}
      </main>
    </html>`;
}
