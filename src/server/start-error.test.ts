import { expect, test } from "vitest";
import { describeStartError } from "./start-error.ts";

const settings = {
  host: "127.0.0.1",
  port: 80,
  metrics: { host: "::1", port: 4244 },
  dataDir: "/var/lib/peerdeck",
  databaseUrl: "postgres://peerdeck:secret@db.example.net/peers",
};
const fault = (fields: object) => Object.assign(new Error("it failed"), fields);

test.each([
  [
    fault({ syscall: "listen", code: "EACCES" }),
    "PORT 80 is reserved for root: set PORT to a port above 1023.",
  ],
  [
    fault({ syscall: "listen", code: "EADDRINUSE", address: "::1", port: 4244 }),
    "METRICS_PORT 4244 is in use on ::1: stop the program that uses it, or set METRICS_PORT to a free port.",
  ],
  [
    new Error("the migration failed", { cause: fault({ code: "28P01" }) }),
    "PostgreSQL on db.example.net rejected the user peerdeck or its password: correct them in DATABASE_URL.",
  ],
  [
    fault({ code: "42501" }),
    "PostgreSQL on db.example.net refused the user peerdeck a right (it failed): make it the owner of the database in " +
      "DATABASE_URL.",
  ],
  [
    fault({ code: "EACCES", path: "/var/lib/peerdeck/secret.key" }),
    "DATA_DIR /var/lib/peerdeck cannot be used (EACCES: /var/lib/peerdeck/secret.key): give the server's user the right " +
      "to read and write it and everything in it, make space on its disk, or set DATA_DIR to another folder.",
  ],
])("names the setting: %s", (error, sentence) => {
  expect(describeStartError(error, settings)).toBe(sentence);
});

test.each([
  new TypeError("x is not a function"),
  fault({ code: "EACCES", path: "/etc/other" }),
  fault({ code: "42P01" }),
])("says nothing about another error: %s", (error) => {
  expect(describeStartError(error, settings)).toBeNull();
});
