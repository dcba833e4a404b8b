import { expect, test } from "vitest";
import { describeDatabase } from "./command-line.ts";

test.each([
  [null, "SQLite in /var/lib/peerdeck"],
  ["postgres://peerdeck:secret@db.example.net:5433/peerdeck", "PostgreSQL on db.example.net:5433"],
  ["postgres:///peerdeck?host=/run/postgresql", "PostgreSQL"],
])("the database of %s is named without its password", (databaseUrl, name) => {
  expect(describeDatabase({ dataDir: "/var/lib/peerdeck", databaseUrl })).toBe(name);
});
