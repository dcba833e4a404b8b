import { expect, test } from "vitest";
import { participantReason } from "./participant-reason.ts";

const replaced = "The node reported an error; its log has the details.";

test.each([
  [
    "BIRD refused the new configuration: /etc/bird/peers/dn42_4242420001.conf:14:19 syntax error, unexpected CF_SYM_UNDEFINED, expecting ';'. The previous configuration is still active.",
    `${replaced} The previous configuration is still active.`,
  ],
  ["BIRD refused it: peer.conf:1:1 unexpected CF_SYM_UNDEFINED.", replaced],
  [
    "The router already has an interface dn42_4242420001 that Peerdeck did not create. It was not changed.",
    `${replaced} It was not changed.`,
  ],
  ["sh: /usr/sbin/ip: not found.", replaced],
  [
    "The node's router is not available: connect ENOENT '/run/bird/bird.ctl' Try again in a minute.",
    replaced,
  ],
])("%j is for the operator", (reason, expected) => {
  expect(participantReason(reason)).toBe(expected);
});

test.each([
  "",
  "nowhere.invalid does not resolve to an address. Nothing was deployed.",
  "fe80::1/64 overlaps 172.20.0.0/14. Choose another one.",
  "10.0.0.1 is a private address. Enter the public address of your router.",
  "syd01.example.net could not be reached in time. Nothing was deployed. Try again when the node is back.",
])("%j is for the participant", (reason) => {
  expect(participantReason(reason)).toBe(reason);
});
