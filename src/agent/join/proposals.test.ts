import { expect, test } from "vitest";
import { prefix } from "../../domain/prefix.ts";
import { processResult } from "../fixtures/process-result.ts";
import { proposeValues } from "./proposals.ts";

const run = async (_: string, args: readonly string[]) =>
  processResult(args.includes("-4") ? '[{"dst":"default","dev":"lo","flags":[]}]' : "[]");

test("proposes the address of the default route's interface, and an address in the provider's prefixes", async () => {
  expect(await proposeValues(run, [prefix("127.0.0.0/8"), prefix("fd42:d42::/48")])).toEqual({
    listen: "127.0.0.1:4243",
    ipv4: "127.0.0.1",
  });
});

test("proposes nothing if the machine has nothing", async () => {
  expect(await proposeValues(async () => processResult("", 1, "ip: not found"), [])).toEqual({});
});
