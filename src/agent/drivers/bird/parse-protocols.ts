import type { SessionObservation } from "../router.ts";
import type { BirdReply } from "./control-socket.ts";

/** Code of the lines of `show protocols`, one a protocol. */
export const protocolCode = 1002;

const bgpStates = /^(?:.*\s)?(Idle|Connect|Active|OpenSent|OpenConfirm|Established|Close|Down)\b\s*(.*)$/;

/**
 * All BGP protocols of the summary `show protocols`, ours and others'. The time format is the
 * administrator's and may hold spaces, so the info column is found by BGP's own words.
 */
export function parseProtocols({ lines }: BirdReply): readonly SessionObservation[] {
  return lines.flatMap(({ code, text }) => {
    const match = code === protocolCode && /^(\S+)\s+BGP\s+\S+\s+(\S+)\s+(.*)$/.exec(text);
    if (!match) return [];
    const [, name = "", protocolState = "", rest = ""] = match;
    const info = bgpStates.exec(rest);
    return [{ name, state: info?.[1] ?? capital(protocolState), detail: (info?.[2] ?? "").trim() }];
  });
}

/** A disabled protocol has no state of BGP; `down` then becomes `Down`. */
function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
