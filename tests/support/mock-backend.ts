import { msw } from "msw/vite";
import type { Plugin } from "vite";

const app = "/src/web/main.tsx";

/** Starts the mock backend before the web app, so that the app contains no code for mocks. */
export function mockBackend(): Plugin[] {
  return [
    msw({ mode: "worker-only" }),
    { name: "mock-backend", transformIndexHtml: { order: "pre", handler: startMocksFirst } },
  ];
}

function startMocksFirst(html: string): string {
  const entry = `src="${app}">`;
  if (!html.includes(entry)) throw new Error(`index.html has no script ${entry}`);
  const start = `import { startMocks } from "/src/mocks/browser.ts"; await startMocks(); await import("${app}");`;
  return html.replace(entry, `>${start}`);
}
