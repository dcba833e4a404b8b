import { expect, test } from "vitest";
import { chooseEndpoint, type EndpointChoice } from "./choose-endpoint.ts";

const [a, otherA, aaaa, otherAaaa] = ["198.51.100.8", "198.51.100.9", "2001:db8::8", "2001:db8::9"] as const;
type Addresses = readonly [string, ...string[]];
const both: Addresses = [a, aaaa];
const afterSilence = { address: aaaa, silentFamily: "IPv4" } as const;

test.each<[string, Addresses, EndpointChoice | null, isSilent: boolean, EndpointChoice]>([
  ["the preferred one first", both, null, true, { address: a }],
  ["kept while there is a handshake", both, { address: aaaa }, false, { address: aaaa }],
  ["the other family after silence", both, { address: a }, true, afterSilence],
  ["back after silence", both, afterSilence, true, { address: a }],
  ["the reason is kept with the choice", both, afterSilence, false, afterSilence],
  ["no silence of a family that was never tried", both, { address: aaaa }, true, { address: a }],
  ["nothing else to try", [a, otherA], { address: a }, true, { address: a }],
  [
    "a new address of the same family",
    [a, otherAaaa],
    afterSilence,
    false,
    { ...afterSilence, address: otherAaaa },
  ],
  [
    "a new address is tried before the other family",
    [otherA, aaaa],
    { address: a },
    true,
    { address: otherA },
  ],
  ["the family is gone", [aaaa], { address: a }, true, { address: aaaa }],
  ["the silent family is gone", [aaaa], afterSilence, true, { address: aaaa }],
  ["an IPv6-only node", [aaaa, otherAaaa], null, true, { address: aaaa }],
])("%s", (_, addresses, previous, isSilent, choice) => {
  expect(chooseEndpoint(addresses, previous, isSilent)).toEqual(choice);
});
