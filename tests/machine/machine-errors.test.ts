/** Without a machine, the tests end with a sentence that says why. */
import { once } from "node:events";
import { expect, test } from "vitest";
import { runAsRoot } from "../support/root-command.ts";
import { describeFailure } from "./debian-root.ts";
import { startContainer } from "./machine.ts";

test.each([
  [
    "echo 'I: Retrieving InRelease'; echo 'E: Failed getting release file http://mirror.example.net/x' >&2",
    "debootstrap could not make the root of a Debian machine: Failed getting release file http://mirror.example.net/x.",
  ],
  [
    "echo 'W: Failure trying to run: chroot mount'; echo",
    "debootstrap could not make the root of a Debian machine: Failure trying to run: chroot mount.",
  ],
])("a debootstrap that fails, %s, is explained in one sentence", async (command, message) => {
  const error = await runAsRoot("sh", "-c", `${command}; exit 1`).catch(describeFailure);
  expect(String(error)).toBe(`Error: ${message}`);
});

test("a debootstrap that is missing is named", () => {
  expect(describeFailure(Object.assign(new Error("spawn"), { code: "ENOENT" })).message).toBe(
    "The tests of docs/nodes.md need debootstrap, which is not installed.",
  );
});

test("what systemd-nspawn says about a machine that does not boot is kept", async () => {
  const { child, readErrors } = startContainer("/nonexistent/root");
  await once(child, "close");
  expect(readErrors()).toMatch(/\/nonexistent\/root/);
});
