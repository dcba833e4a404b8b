/** A machine that does not boot. */
import { once } from "node:events";
import { expect, test } from "vitest";
import { startContainer } from "./machine.ts";

test("what systemd-nspawn says about a machine that does not boot is kept", async () => {
  const { child, readErrors } = startContainer("/nonexistent/root");
  await once(child, "close");
  expect(readErrors()).toMatch(/\/nonexistent\/root/);
});
