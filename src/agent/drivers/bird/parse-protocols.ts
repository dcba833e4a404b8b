import type { SessionObservation } from "../router.ts";
import type { BirdReply } from "./control-socket.ts";

/** The code of the lines of `show protocols`, one line per protocol. */
export const protocolCode = 1002;

const bgpStates = /^(?:.*\s)?(Idle|Connect|Active|OpenSent|OpenConfirm|Established|Close|Down)\b\s*(.*)$/;

/**
 * Parses all BGP protocols of the summary `show protocols`, including the administrator's own. The time
 * format is configurable and may contain spaces, so the info column is found by BGP's state names.
 */
export function parseProtocols({ lines }: BirdReply): readonly SessionObservation[] {
  return lines.flatMap(({ code, text }) => {
    const match = code === protocolCode && /^(\S+)\s+BGP\s+\S+\s+(\S+)\s+(.*)$/.exec(text);
    if (!match) return [];
    const [, name = "", protocolState = "", rest = ""] = match;
    const info = bgpStates.exec(rest);
    return [{ name, state: info?.[1] ?? capitalize(protocolState), detail: (info?.[2] ?? "").trim() }];
  });
}

/** A disabled protocol has no BGP state; `down` becomes `Down`. */
function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
