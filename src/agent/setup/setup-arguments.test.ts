import { expect, test } from "vitest";
import { parseSetupArguments, SetupError, usage } from "./setup-arguments.ts";

const minimal = ["--node", "de01", "--asn", "AS4242422227", "--listen", "203.0.113.5:4243"];
const addresses = ["--ipv4", "172.20.16.1", "--ipv6", "fd42:d42::1"];

test("parses arguments and collects lists", () => {
  const args = [...minimal, ...addresses, "--prefix", "172.20.16.0/27", "--prefix", "fd42:d42::/48"];
  expect(
    parseSetupArguments([...args, "--server", "AB", "--server-address", "192.0.2.10", "--roa4", "/roa4"]),
  ).toEqual({
    node: "de01",
    asn: "4242422227",
    listen: "203.0.113.5:4243",
    ipv4: "172.20.16.1",
    ipv6: "fd42:d42::1",
    prefixes: ["172.20.16.0/27", "fd42:d42::/48"],
    endpoints: [],
    servers: ["AB"],
    serverAddresses: ["192.0.2.10"],
    roa4: "/roa4",
    allowDocumentation: false,
    roa6: undefined,
  });
});

test("no arguments mean a check, and --help prints the usage", () => {
  expect(parseSetupArguments([])).toBeNull();
  expect(parseSetupArguments(["--node", "de01", "--help"])).toBe("help");
});

test.each([
  [minimal, "Missing: --ipv4, --ipv6, --prefix. Nothing was changed."],
  [
    [...minimal, "--asn", "64496.1", ...addresses, "--prefix", "172.20.16.0/27"],
    "--asn: 64496.1 is not an AS number. Nothing was changed.",
  ],
  [["--colour", "red"], "Unknown option '--colour'"],
])("%j is rejected with the usage", (args, words) => {
  const attempt = () => parseSetupArguments(args);
  expect(attempt).toThrow(SetupError);
  expect(attempt).toThrow(words);
  expect(attempt).toThrow(usage);
});
