/** Output that cannot be written, because its reader has gone (`… | head`) or its file is on a full disk. */

/**
 * Lets the program go on without its output: an unhandled error of the stream would end it in the middle of its work. A
 * reader that has gone is not a failure. After another error the program says so, and exits with at least code 1.
 */
export function tolerateLostOutput(): void {
  let hasFailed = false;
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE" || hasFailed) return;
    hasFailed = true;
    process.stderr.write(`The output cannot be written (${code}). The program goes on without it.\n`);
  });
  process.stderr.on("error", () => undefined);
  process.once("exit", (exitCode) => {
    if (hasFailed && exitCode === 0) process.exitCode = 1;
  });
}
