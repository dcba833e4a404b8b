import { expect, test } from "vitest";
import { runRekeyNode } from "./rekey-node.ts";

const run = (...args: readonly string[]) => runRekeyNode(args, {} as never, () => undefined);

test.each([
  [[], "the name of one node is needed"],
  [["de01", "ny01"], "the name of one node is needed"],
  [["de01", "--on", "2026-13-01"], "--on: 2026-13-01 is not a date such as 2026-12-15"],
  [["de01", "--on", "2027-02-30"], "--on: 2027-02-30 is not a date such as 2026-12-15"],
  [["de01", "--on", "2001-01-01"], "--on: the date must be in the future"],
  [["de01", "--on", "2101-01-01"], "--on: the date must be within a year"],
  [["de01", "--in", "soon"], "--in: soon is not a time such as 14d, 12h or 30m"],
  [["de01", "--in", "0d"], "--in: the date must be in the future"],
  [["de01", "--in", "400d"], "--in: the date must be within a year"],
  [["de01", "--in", "1d", "--on", "2101-01-01"], "use --on or --in, not both"],
  [["de01", "--cancel", "--in", "1d"], "--cancel: use it without --on and --in"],
])("%j is refused: %s", async (args, message) => {
  await expect(run(...args)).rejects.toThrow(`${message}. Nothing was changed.`);
});
