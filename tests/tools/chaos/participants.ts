/** Two participants, each with a peering, with unique texts and numbers. */
import { deployPeering, randomKey, signUp } from "../../integration/server/participant.ts";

export interface ChaosParticipant {
  readonly asn: string;
  readonly password: string;
  /** The node of the peering that exists from the start. */
  readonly node: string;
  readonly key: string;
  readonly host: string;
}

export const participants: readonly [ChaosParticipant, ChaosParticipant] = [
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

/** Texts that identify a participant wherever they appear. */
export function identifyingTexts({ asn, key, host }: ChaosParticipant): readonly string[] {
  return [asn, key, host];
}

/** Creates an account and the first peering of each participant. */
export async function registerParticipants(url: string): Promise<void> {
  for (const { asn, password, node, key, host } of participants) {
    const participant = await signUp(url, asn, password);
    await deployPeering(participant, node, { public_key: key, remote_ip: host });
  }
}
