/** Checks of rendered files, many at once. */
import { linkLocal, networkIpv4, networkIpv6 } from "../../src/domain/address-ranges.ts";
import { formatPrefix } from "../../src/domain/prefix.ts";
import {
  type ExpectedTunnel,
  type FileKind,
  nodeProtocols,
  nodeTunnel,
  participantProtocols,
  participantTunnel,
  type PeeringFiles,
  privateKey,
} from "./peering-files.ts";
import type { RouterParsers } from "./router-parsers.ts";

/** Rejects with the program's message, or with the difference between what it found and the peerings. */
export type FileCheck = (batch: readonly PeeringFiles[]) => Promise<void>;

/** Returns the check of each kind of file. */
export async function createFileChecks(
  parsers: RouterParsers,
): Promise<Readonly<Record<FileKind, FileCheck>>> {
  const { readNodeBird, readParticipantBird, stripWireguard, readWireguard } = parsers;
  const protocolsOfNode = await readNodeBird([]);
  const protocolsOfParticipant = await readParticipantBird([]);

  async function checkTunnels(config: string, expected: readonly ExpectedTunnel[]): Promise<void> {
    const { peers, ...own } = await readWireguard(config);
    expectSame(
      [
        `${own.privateKey} ${own.listenPort}`,
        ...peers.map(({ publicKey, endpoint, keepalive, allowedIps }) =>
          [publicKey, endpoint, keepalive, ...allowedIps.toSorted()].join(" "),
        ),
      ],
      [
        `${privateKey} ${expected.at(-1)?.listenPort}`,
        ...expected.map(({ publicKey, endpoint }, index) =>
          // The peers allow the same networks, and a network belongs to the last peer that allows it.
          [publicKey, endpoint, 25, ...(index === expected.length - 1 ? networks : [])].join(" "),
        ),
      ],
    );
    // An interface has the key and the port of the last file. Those of the other files are compared as text.
    expectSame(
      config.split("\n").filter((line) => /^(PrivateKey|ListenPort)/.test(line)),
      expected.flatMap((each) => [`PrivateKey = ${privateKey}`, `ListenPort = ${each.listenPort}`]),
    );
  }

  return {
    nodeBird: async (batch) => {
      const found = await readNodeBird(batch.map(({ nodeBird }) => nodeBird));
      expectSame(found, [...protocolsOfNode, ...batch.flatMap(({ random }) => nodeProtocols(random))]);
    },
    participantBird: async (batch) => {
      const found = await readParticipantBird(batch.map(({ participantBird }) => participantBird));
      expectSame(found, [
        ...protocolsOfParticipant,
        ...batch.flatMap(({ random }) => participantProtocols(random)),
      ]);
    },
    nodeWireguard: (batch) =>
      checkTunnels(
        batch.map(({ nodeWireguard }) => nodeWireguard).join(""),
        batch.map(({ random }) => nodeTunnel(random)),
      ),
    participantWireguard: async (batch) => {
      const configs = batch.map(({ participantWireguard }) => participantWireguard);
      await checkTunnels(
        await stripWireguard(configs.join("")),
        batch.map(({ random }) => participantTunnel(random)),
      );
    },
  };
}

const networks = [...networkIpv4, ...networkIpv6, { ...linkLocal, length: 10 }].map(formatPrefix).toSorted();

/** Throws the difference between two lists, in any order. */
function expectSame(found: readonly string[], expected: readonly string[]): void {
  const unexpected = withoutEach(found, expected);
  const missing = withoutEach(expected, found);
  if (unexpected.length + missing.length === 0) return;
  throw new Error(`found ${unexpected.join(", ") || "nothing"}, expected ${missing.join(", ") || "nothing"}`);
}

/** Returns the texts without those of another list, each as often as the other list contains it. */
function withoutEach(texts: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(other, (counts.get(other) ?? 0) + 1);
  return texts.filter((text) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}
