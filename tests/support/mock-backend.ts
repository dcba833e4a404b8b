import { msw } from "msw/vite";
import type { IndexHtmlTransformContext, Plugin } from "vite";

const app = "/src/web/main.tsx";

/** The components in all their states, on a page that only the development server has. */
const kit = { path: "/kit", module: "/tests/kit/main.tsx" } as const;

/** Starts the mock backend before the web app, so that the app contains no code for mocks, and serves the kit. */
export function mockBackend(): Plugin[] {
  return [
    msw({ mode: "worker-only" }),
    { name: "mock-backend", transformIndexHtml: { order: "pre", handler: startMocksFirst } },
  ];
}

function startMocksFirst(html: string, { originalUrl = "" }: IndexHtmlTransformContext): string {
  const entry = `src="${app}">`;
  if (!html.includes(entry)) throw new Error(`index.html has no script ${entry}`);
  if (originalUrl.replace(/[?#].*/, "") === kit.path) return html.replace(app, kit.module);
  const start = `import { startMocks } from "/src/mocks/browser.ts"; await startMocks(); await import("${app}");`;
  return html.replace(entry, `>${start}`);
}
