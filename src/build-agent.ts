/** Bundles the agent into one file that needs nothing but Node: `build/agent/peerdeck-agent.mjs`. */
import { join } from "node:path";
import { build } from "vite";

await build({
  root: join(import.meta.dirname, ".."),
  // The web app's configuration is not the agent's.
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: "src/agent/main.ts",
    outDir: "build/agent",
    emptyOutDir: true,
    target: "node24",
    // Readable where it runs: whoever operates a router wants to see what acts on it.
    minify: false,
    rolldownOptions: { output: { entryFileNames: "peerdeck-agent.mjs", codeSplitting: false } },
  },
});
