import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const agent = join(import.meta.dirname, "..");

test("every output of setup that docs/nodes.md explains is a text of the agent", async () => {
  const guide = await readFile(join(agent, "../../docs/nodes.md"), "utf8");
  const [, section = ""] = /^### What `setup` checks\n([^]*?)^## /m.exec(guide) ?? [];
  const firstColumns = Array.from(section.matchAll(/^\| (`[^|]*) \|/gm), ([, cell = ""]) => cell);
  const outputs = firstColumns.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, text]) => text));
  const sources: string[] = [];
  for await (const path of glob("{setup,drivers}/**/*.ts", { cwd: agent, exclude: ["**/*.test.ts"] }))
    sources.push(await readFile(join(agent, path), "utf8"));
  // Long texts are split into several literals.
  const texts = sources.join("\n").replaceAll(/" \+\s*"/g, "");
  expect(outputs.length).toBeGreaterThan(15);
  expect(outputs.filter((text) => text !== undefined && !texts.includes(text))).toEqual([]);
});
