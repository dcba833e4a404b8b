import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { readRecordings, writeRecordings } from "../../support/recording-files.ts";
import { stopClock } from "./output-file.ts";

test("stores the oldest version whole and the others as differences, and reads all as written", async () => {
  const folder = await createFolder();
  const base = "> show status\n1000-BIRD 2.9\n a\rb\u0000\u00ff\n0013 up\n";
  const texts = [base, base.replace("2.9", "2.10"), `@@ \n${base}-c\n`, "+x\n"];
  const recordings = new Map([
    ["2.10", new Map(texts.map((text, index) => [`case-${index}`, text]))],
    ["2.9", new Map(texts.slice(1).map((_, index) => [`case-${index}`, base]))],
    ["3.1", new Map([["case-0", base]])],
  ]);
  for (let times = 0; times < 2; times += 1) {
    await writeRecordings(folder, recordings);
    expect(await readRecordings(folder)).toEqual(recordings);
  }
  const files = ["case-0.diff", "case-1.diff", "case-2.diff", "case-3.txt"];
  expect((await readdir(path.join(folder, "bird2-2.10"))).toSorted()).toEqual(files);
  const stored = await readFile(path.join(folder, "bird2-2.10", "case-1.diff"), "latin1");
  expect(stored).toBe("@@ -2 +2 @@\n-1000-BIRD 2.9\n+1000-BIRD 2.10\n");
  expect(await readFile(path.join(folder, "bird2-2.10", "case-0.diff"), "latin1")).toBe("");
});

test.each([
  [" Last reboot on 2027-01-02 13:14:15.678", " Last reboot on 2026-11-23 07:22:40.000"],
  ["bgp up     13:14:15  Established", "bgp up     07:22:40  Established"],
  ["      Hold timer:       70.740/90", "      Hold timer:       90.000/90"],
  ["fd00:12:34:56::/64 unicast", "fd00:12:34:56::/64 unicast"],
])("%s is recorded as %s", (printed, recorded) => {
  expect(stopClock(printed)).toBe(recorded);
});
