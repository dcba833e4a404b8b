import { expect, test } from "vitest";
import { parsePorts } from "./values-in-use.ts";

test("reads the local ports of the kernel's UDP sockets, of both families", () => {
  const header =
    "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n";
  expect(
    parsePorts(
      `${header} 1234: 00000000:4E21 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 81 2 0 0\n`,
    ),
  ).toEqual([20_001]);
  expect(
    parsePorts(
      `${header}  567: 00000000000000000000000000000000:CA6C 00000000000000000000000000000000:0000 07 0 0 0 0 0 0\n`,
    ),
  ).toEqual([51_820]);
  expect(parsePorts(header)).toEqual([]);
});
