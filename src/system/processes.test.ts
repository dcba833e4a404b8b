import { access, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createFolder } from "./fixtures/create-folder.ts";
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
    "sleep timed out after 0.05 s and was killed",
  );
});

test("input and output can be files", async () => {
  const path = join(await createFolder(), "copy");
  await using input = await open(import.meta.filename, "r");
  await using output = await open(path, "wx");
  const { code, stdout } = await runProcess("cat", [], { input, output });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(await readFile(path, "utf8")).toBe(await readFile(import.meta.filename, "utf8"));
});

/** The state that `ps` shows: empty for no process, `Z` for an ended one that no other process has waited for. */
const readState = async (pid: string) => (await runProcess("ps", ["-o", "stat=", "-p", pid])).stdout;

test("a group has time after SIGTERM, and ends with all that the process started", async () => {
  const script = 'trap "echo cleaned; exit 1" TERM; sleep 60 & echo $!; wait';
  const clean = await runProcess("sh", ["-c", script], {
    signal: AbortSignal.timeout(200),
    groupGraceMs: 60_000,
  });
  expect(clean).toMatchObject({ code: 1, stdout: expect.stringMatching(/^\d+\ncleaned\n$/) });
  const stubborn = 'trap "" TERM; sleep 60 & wait; wait';
  await expect(runProcess("sh", ["-c", stubborn], { timeoutMs: 50, groupGraceMs: 50 })).rejects.toThrow(
    "sh timed out after 0.05 s and was killed",
  );
  const left = await runProcess("sh", ["-c", "sleep 60 > /dev/null 2>&1 & echo $!"], { groupGraceMs: 0 });
  await vi.waitFor(async () => expect(await readState(left.stdout.trim())).toMatch(/^(?:Z.*\n)?$/));
});

test("an abort kills the process and returns its output so far, and later ones do not run", async () => {
  const stop = new AbortController();
  const printed = join(await createFolder(), "printed");
  const script = 'echo first; : > "$0"; exec sleep 60';
  const running = runProcess("sh", ["-c", script, printed], { signal: stop.signal });
  await vi.waitFor(() => access(printed), { timeout: 20_000 });
  stop.abort();
  expect(await running).toMatchObject({ code: null, stdout: "first\n" });
  const { signal } = stop;
  expect(await runProcess("sleep", ["60"], { signal })).toMatchObject({ code: null, stdout: "" });
});

test("an error contains the program's output; a program that cannot start is a ProcessError", async () => {
  await expect(runOk(runProcess, "sh", ["-c", "echo no >&2; exit 3"])).rejects.toThrow(
    "sh -c echo no >&2; exit 3 exited with 3: no",
  );
  await expect(runProcess("/nowhere/wg", [])).rejects.toBeInstanceOf(ProcessError);
  // spawn throws synchronously on an argument with a null byte.
  await expect(runProcess("printf", ["a\0b"])).rejects.toThrow(ProcessError);
});
