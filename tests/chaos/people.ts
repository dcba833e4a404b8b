/** Two participants, each with a peering, whose words and numbers appear nowhere else. */
import { calls } from "../../src/contract/calls.ts";
import { ended, peerUpdate, randomKey, signUp } from "../integration/server/participant.ts";

export interface Person {
  readonly asn: string;
  readonly password: string;
  /** The node of the peering that was there from the start. */
  readonly node: string;
  readonly key: string;
  readonly host: string;
}

export const people: readonly [Person, Person] = [
  {
    asn: "4242420002",
    password: "the first of two sentences",
    node: "de01",
    key: randomKey(),
    host: "198.51.100.102",
  },
  {
    asn: "4242420003",
    password: "the second of two sentences",
    node: "ny01",
    key: randomKey(),
    host: "198.51.100.103",
  },
];

/** What gives a person away wherever it is found. */
export function tracesOf({ asn, key, host }: Person): readonly string[] {
  return [asn, key, host];
}

/** Gives both an account and their first peering. */
export async function settle(url: string): Promise<void> {
  for (const { asn, password, node, key, host } of people) {
    const participant = await signUp(url, asn, password);
    const { taskID } = await participant.call(calls.updatePeerConfig, [
      { username: asn },
      peerUpdate({ node, public_key: key, remote_ip: host }),
    ]);
    await ended(participant, taskID);
  }
}
