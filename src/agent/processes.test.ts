import { expect, test } from "vitest";
import { ProcessFailed, runOk, runProcess } from "./processes.ts";

test("arguments arrive as they are, and no shell reads them", async () => {
  const { code, stdout } = await runProcess("printf", ["%s|", "$(id)", "a b", ";"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "$(id)|a b|;|" });
});

test("input is written and closed", async () => {
  expect(await runOk(runProcess, "cat", [], { input: "link set up\n" })).toBe("link set up\n");
});

test("the environment is fixed", async () => {
  expect(await runOk(runProcess, "env", [])).toBe(
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nLC_ALL=C\n",
  );
});

test("output beyond its limit is dropped, and the end of the program awaited", async () => {
  const { stdout, cut } = await runProcess("seq", ["100000"], { outputLimitBytes: 10 });
  expect({ stdout, cut }).toEqual({ stdout: "1\n2\n3\n4\n5\n", cut: true });
});

test("a program that takes too long is killed", async () => {
  await expect(runProcess("sleep", ["60"], { timeLimitMs: 50 })).rejects.toThrow(
    "sleep did not end within 0.05 s and was killed.",
  );
});

test("an abort kills it and gives what it wrote", async () => {
  const stop = new AbortController();
  const running = runProcess("sh", ["-c", "echo first; exec sleep 60"], { signal: stop.signal });
  setTimeout(() => stop.abort(), 200);
  expect(await running).toMatchObject({ code: null, stdout: "first\n" });
});

test("what was aborted before does not run", async () => {
  expect(await runProcess("sleep", ["60"], { signal: AbortSignal.abort() })).toMatchObject({ code: null });
});

test("a failure is told with the program's words", async () => {
  await expect(runOk(runProcess, "sh", ["-c", "echo no >&2; exit 3"])).rejects.toThrow(
    "sh -c echo no >&2; exit 3 ended with 3: no",
  );
  await expect(runProcess("/nowhere/wg", [])).rejects.toBeInstanceOf(ProcessFailed);
});

test("what cannot even be tried is a failure like any other", async () => {
  // Node throws at once on an argument that no system call could take.
  await expect(runProcess("printf", ["a\0b"])).rejects.toThrow(ProcessFailed);
});
