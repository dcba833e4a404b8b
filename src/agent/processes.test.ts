import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ProcessError, runOk, runProcess } from "./processes.ts";

test("arguments are passed unchanged and no shell interprets them", async () => {
  const { code, stdout } = await runProcess("printf", ["%s|", "$(id)", "a b", ";"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "$(id)|a b|;|" });
});

test("writes the input and closes it", async () => {
  expect(await runOk(runProcess, "cat", [], { input: "link set up\n" })).toBe("link set up\n");
});

test("the environment is fixed", async () => {
  expect(await runOk(runProcess, "env", [])).toBe(
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nLC_ALL=C\n",
  );
});

test("drops output beyond the limit and waits for the process to exit", async () => {
  const { stdout, isTruncated } = await runProcess("seq", ["100000"], { outputLimitBytes: 10 });
  expect({ stdout, isTruncated }).toEqual({ stdout: "1\n2\n3\n4\n5\n", isTruncated: true });
});

test("kills a process that exceeds its timeout", async () => {
  await expect(runProcess("sleep", ["60"], { timeoutMs: 50 })).rejects.toThrow(
    "sleep timed out after 0.05 s and was killed.",
  );
});

test("an abort kills the process and returns its output so far", async () => {
  const stop = new AbortController();
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-processes-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const printed = join(folder, "printed");
  const script = 'echo first; : > "$0"; exec sleep 60';
  const running = runProcess("sh", ["-c", script, printed], { signal: stop.signal });
  await vi.waitFor(() => access(printed), { timeout: 20_000 });
  stop.abort();
  expect(await running).toMatchObject({ code: null, stdout: "first\n" });
});

test("a process with an aborted signal does not run", async () => {
  expect(await runProcess("sleep", ["60"], { signal: AbortSignal.abort() })).toMatchObject({ code: null });
});

test("an error contains the program's output", async () => {
  await expect(runOk(runProcess, "sh", ["-c", "echo no >&2; exit 3"])).rejects.toThrow(
    "sh -c echo no >&2; exit 3 exited with 3: no",
  );
  await expect(runProcess("/nowhere/wg", [])).rejects.toBeInstanceOf(ProcessError);
});

test("an invalid argument rejects with ProcessError", async () => {
  // spawn throws synchronously on an argument with a null byte.
  await expect(runProcess("printf", ["a\0b"])).rejects.toThrow(ProcessError);
});
