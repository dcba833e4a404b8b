import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { ProcessError, type Run, runOk, runProcess } from "./processes.ts";
import { keepProcessesWaiting } from "./waiting-processes.ts";

const script = "read line; echo $$ $line >&2; cat; exit ${#line}";
const args = ["-c", script];

/** Returns a `run` with a command that waits, and the calls that started a process as usual. */
function open(program = "sh") {
  const started: string[] = [];
  const run: Run = (called, ...rest) => {
    started.push(called);
    return runProcess(called, ...rest);
  };
  const waiting = keepProcessesWaiting(run, [{ program, args }]);
  onTestFinished(() => waiting[Symbol.dispose]());
  return { run: waiting.run, started };
}

test("a waiting process gets the input of one call; the next ones start a process, until another one waits", async () => {
  const { run, started } = open();
  await pause(1100);
  const first = await run("sh", args, { input: "ab\nrest" });
  expect(first).toMatchObject({
    code: 2,
    stdout: "rest",
    stderr: expect.stringMatching(/^\d+ ab\n$/) as string,
  });
  expect(started).toEqual([]);
  expect(await run("sh", args, { input: "abc\n" })).toMatchObject({ code: 3 });
  expect(started).toEqual(["sh"]);
  await pause(1100);
  await expect(runOk(run, "sh", args, { input: "a\n" })).rejects.toThrow(ProcessError);
  expect(started).toEqual(["sh"]);
  // Other arguments, or no input, are another command.
  await run("sh", ["-c", "true"], { input: "" });
  await run("true", []);
  expect(started).toEqual(["sh", "sh", "true"]);
});

test("a waiting process that has ended is not used, and one that cannot be started is an error of the call", async () => {
  const { run, started } = open();
  await pause(1100);
  const [, pid = ""] = /^(\d+)/m.exec(await children()) ?? [];
  process.kill(Number(pid), "SIGKILL");
  await pause(100);
  expect(await run("sh", args, { input: "a\n" })).toMatchObject({ code: 1 });
  expect(started).toEqual(["sh"]);
  const missing = open("no-such-program");
  await pause(1100);
  await expect(missing.run("no-such-program", args, { input: "" })).rejects.toThrow("cannot be started");
});

test("after a command of the program timed out, no process waits until one has ended in time", async () => {
  const { run, started } = open();
  await pause(1100);
  expect(await children()).not.toBe("");
  await expect(run("sh", ["-c", "exec sleep 5"], { timeoutMs: 50 })).rejects.toThrow("timed out");
  await pause(1100);
  expect(await children()).toBe("");
  expect(await run("sh", args, { input: "a\n" })).toMatchObject({ code: 1 });
  expect(started).toEqual(["sh", "sh"]);
  await pause(1100);
  expect(await children()).not.toBe("");
});

/** Returns the IDs of this process's `sh` processes, a line each. */
function children(): Promise<string> {
  // Without one, pgrep exits with 1.
  return runProcess("pgrep", ["-P", String(process.pid), "-x", "sh"]).then(({ stdout }) => stdout);
}
