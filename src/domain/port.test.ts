import { expect, test } from "vitest";
import { parsePort } from "./port.ts";

test("a port is 1 to 65535, without leading zeros", () => {
  const read = Array.from({ length: 70_000 }, (_, number) => parsePort(String(number)));
  expect(read).toEqual(read.map((_, number) => (number >= 1 && number <= 65_535 ? number : null)));
  expect(parsePort("080")).toBeNull();
});
