import { expect, test } from "vitest";
import { createLineFinder } from "./toml-lines.ts";

const lineOf = createLineFinder(`name = "x"
note = """
[fake]
name = "not a key"
"""
[registry]
path = "r"

[[nodes]]
name = "a"
agent = { url = "u" }
[nodes.more]
key = 1
[[nodes]]
"name" = "b"
tags = [
  "one",
]
dotted.inner = 2
`);

test.each([
  [["name"], 1],
  [["registry"], 6],
  [["registry", "path"], 7],
  [["registry", "missing"], 6],
  [["nodes", 0], 9],
  [["nodes", 0, "name"], 10],
  [["nodes", 0, "agent", "url"], 11],
  [["nodes", 0, "more", "key"], 13],
  [["nodes", 1, "name"], 15],
  [["nodes", 1, "tags", 0], 16],
  [["nodes", 1, "dotted", "inner"], 19],
  [["nodes", 1, "lat"], 14],
  [["missing"], 1],
  [["fake", "name"], 1],
])("%j is in line %i", (path, line) => {
  expect(lineOf(path)).toBe(line);
});
