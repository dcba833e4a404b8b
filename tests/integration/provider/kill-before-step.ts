/**
 * Loaded into a program with `--import`: kills the process before its n-th step, as a crash would, without time to do
 * anything. A step is a statement that begins, writes or commits in SQLite or PostgreSQL, a request to an agent, or a change of
 * a folder's entries. The number is in KILL_BEFORE_STEP. With KILL_AFTER_SIGNAL, steps count from the first signal SIGUSR2.
 */
import { promises as files } from "node:fs";
import { ClientRequest } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

const killBefore = Number(process.env["KILL_BEFORE_STEP"]);
let count = 0;
let isCounting = process.env["KILL_AFTER_SIGNAL"] === undefined;
if (!isCounting)
  process.once("SIGUSR2", () => {
    isCounting = true;
  });

function step(): void {
  if (isCounting) count += 1;
  if (count === killBefore) process.kill(process.pid, "SIGKILL");
}

/** Calls `onCall` with the first argument before each call of a method. */
function watch(prototype: object, method: string, onCall: (first: unknown) => void): void {
  const original = Reflect.get(prototype, method) as (...args: unknown[]) => unknown;
  Reflect.set(prototype, method, function watched(this: unknown, ...args: unknown[]) {
    onCall(args[0]);
    return Reflect.apply(original, this, args);
  });
}

const onStatement = (text: unknown) => {
  if (/^\s*(?:begin|commit|insert|update|delete)/i.test(String(text))) step();
};
for (const method of ["prepare", "exec"]) watch(DatabaseSync.prototype, method, onStatement);
watch(pg.Client.prototype, "query", onStatement);
watch(ClientRequest.prototype, "end", step);
for (const method of ["link", "rename", "rm"]) watch(files, method, step);
syncBuiltinESMExports();
