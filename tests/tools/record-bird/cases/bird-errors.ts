/** Errors that BIRD finds in what the neighbour sends, and NOTIFICATION messages with a text for the operator. */
import { birdErrors, shutdownTexts } from "#tests/fixtures/router-outputs/notifications.ts";
import { encodeMessage, encodeShutdownText, messageTypes } from "../speaker/messages.ts";
import { establish } from "../actions.ts";
import { type RecorderCase, type Scene, situation } from "../scene.ts";
import { openOf } from "../speakers.ts";

type ErrorName = keyof typeof birdErrors;

const hex = (octets: Uint8Array) => Buffer.from(octets).toString("hex");
const keepalive = hex(encodeMessage(messageTypes.keepalive));
/** An UPDATE whose attributes are longer than the message. */
const cutUpdate = hex(encodeMessage(messageTypes.update, Buffer.from("000000ff", "hex")));
/** An UPDATE that withdraws an IPv4 prefix of 77 bits. */
const longPrefix = hex(
  encodeMessage(messageTypes.update, Buffer.from("000b4d0a0000000000000000000000", "hex")),
);

/** How the neighbour provokes each error. */
const provocations: Readonly<Record<ErrorName, (scene: Scene) => Promise<void>>> = {
  "error-bad-peer-as": listenWith({
    asn: 4_242_420_099,
    capabilities: [
      ...openOf(1, "link-local").capabilities.filter(({ kind }) => kind !== "four-octet-as"),
      { kind: "four-octet-as", asn: 4_242_420_099 },
    ],
  }),
  "error-bad-identifier": listenWith({ routerId: "0.0.0.0" }),
  "error-hold-time": listenWith({ holdTimeSeconds: 1 }),
  "error-version": listenWith({ version: 3 }),
  "error-open-sent": async ({ speaker }) => {
    const neighbour = speaker(1, "link-local");
    await neighbour.setMode("muted");
    await neighbour.listen();
    await neighbour.waitFor("open");
    await neighbour.sendRaw(keepalive);
  },
  "error-open-confirm": async ({ speaker }) => {
    const neighbour = speaker(1, "link-local");
    await neighbour.setMode("muted");
    await neighbour.listen();
    await neighbour.waitFor("open");
    await neighbour.sendOpen();
    await neighbour.sendOpen();
  },
  "error-established": async (scene) => {
    const neighbour = await establish(scene, 1, "link-local");
    await neighbour.setMode("muted");
    await neighbour.sendOpen();
  },
  "error-not-synchronized": sendEstablished(keepalive.replace("ff", "00")),
  "error-bad-length": sendEstablished(keepalive.replace("001304", "001204")),
  "error-bad-type": sendEstablished(keepalive.replace("001304", "001309")),
  "error-malformed-attributes": sendEstablished(cutUpdate),
  "error-invalid-network": sendEstablished(longPrefix),
  "error-hold-timer": async (scene) => {
    const neighbour = await establish(scene, 1, "link-local", { holdTimeSeconds: 3 });
    await neighbour.setMode("muted");
  },
};

export const birdErrorCases: readonly RecorderCase[] = (Object.keys(birdErrors) as ErrorName[]).map((name) =>
  situation(name, { act: provocations[name] }),
);

export const shutdownTextCases: readonly RecorderCase[] = Object.entries(shutdownTexts).map(([name, text]) =>
  situation(name, {
    act: async (scene) => {
      const neighbour = await establish(scene, 1, "link-local");
      await neighbour.setMode("muted");
      await neighbour.notify({ code: 6, subcode: 2, data: encodeShutdownText(text) });
    },
  }),
);

function listenWith(open: NonNullable<Parameters<Scene["speaker"]>[2]>): (scene: Scene) => Promise<void> {
  return ({ speaker }) => speaker(1, "link-local", open).listen();
}

function sendEstablished(octets: string): (scene: Scene) => Promise<void> {
  return async (scene) => {
    const neighbour = await establish(scene, 1, "link-local");
    await neighbour.setMode("muted");
    await neighbour.sendRaw(octets);
  };
}
