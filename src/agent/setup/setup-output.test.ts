import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "../..");

test("every output of setup that docs/nodes.md explains is a text of the agent or of a finding", async () => {
  const guide = await readFile(join(source, "../docs/nodes.md"), "utf8");
  const [, section = ""] = /^### What `setup` checks\n([^]*?)^## /m.exec(guide) ?? [];
  const firstColumns = Array.from(section.matchAll(/^\| (`[^|]*) \|/gm), ([, cell = ""]) => cell);
  const outputs = firstColumns.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, text]) => text));
  const sources: string[] = [];
  const files = ["agent/{setup,drivers}/**/*.ts", "domain/findings/**/*.ts"];
  for await (const path of glob(files, { cwd: source, exclude: ["**/*.test.ts"] }))
    sources.push(await readFile(join(source, path), "utf8"));
  // Long texts are split into several literals.
  const texts = sources.join("\n").replaceAll(/" \+\s*"/g, "");
  expect(outputs.length).toBeGreaterThan(15);
  expect(outputs.filter((text) => text !== undefined && !texts.includes(text))).toEqual([]);
});
