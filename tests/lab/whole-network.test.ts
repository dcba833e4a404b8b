/** The complete lab, whose start takes longer than most tests: participants peer, and see what runs. */
import { afterAll, beforeAll, describe } from "vitest";
import { type RunningLab, startLab } from "../../src/lab/lab.ts";
import { participants } from "../../src/lab/network.ts";
import { testLiveQueries } from "./live-query-tests.ts";
import { behindNat, testPeerings } from "./peering-tests.ts";

let lab: RunningLab;
let receiveMail: (text: string) => void = () => {};

beforeAll(async () => {
  lab = await startLab({
    port: 0,
    participants: [...participants, behindNat],
    onMail: (text) => receiveMail(text),
  });
});
afterAll(() => lab[Symbol.asyncDispose]());

const nextMail = () =>
  new Promise<string>((resolve) => {
    receiveMail = resolve;
  });

describe("peerings", () => {
  testPeerings(() => lab);
});
describe("live queries", () => {
  testLiveQueries(() => lab, nextMail);
});
