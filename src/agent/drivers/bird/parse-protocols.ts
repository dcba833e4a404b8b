import type { SessionObservation } from "../router.ts";
import type { BirdReply } from "./control-socket.ts";

/** The code of the lines of `show protocols`, one line per protocol. */
const protocolCode = 1002;

/** A BGP protocol in the summary; `session` is null if its line can be read in more than one way. */
export interface ProtocolLine {
  readonly name: string;
  readonly session: SessionObservation | null;
}

/**
 * Parses all BGP protocols of the summary `show protocols`, including the administrator's own. A line consists of name,
 * protocol, table, protocol state, time, BGP state and last error (`bgp_get_status` in BIRD's proto/bgp/bgp.c). The time
 * format is configurable and may contain any text, and an error may contain the names of states.
 */
export function parseProtocols({ lines }: BirdReply): readonly ProtocolLine[] {
  return lines.flatMap(({ code, text }) => {
    const match = code === protocolCode && /^(\S+)\s+BGP\s+\S+\s+(\S+)\s+(.*)$/.exec(text);
    if (!match) return [];
    const [, name = "", protocolState = "", timeAndInfo = ""] = match;
    const info = protocolState === "down" ? parseDown(timeAndInfo) : parseInfo(timeAndInfo);
    return [{ name, session: info && { name, ...info } }];
  });
}

type Info = Omit<SessionObservation, "name">;

/** How BIRD begins the last error of a BGP session. */
const errorStart = "(?:Error|Socket|Received|BGP Error|Automatic shutdown):(?:\\s|$)";
/** A BGP state followed by an error or by nothing else: other places with the same words are not the state. */
const statePattern = new RegExp(
  "(?<=^|\\s)(?<state>Idle|Connect|Active|OpenSent|OpenConfirm|Established|Close|Passive|Flush|Down)" +
    `(?:\\s*$|\\s+(?=${errorStart}))`,
  "g",
);
const errorPattern = new RegExp(`(?:^|\\s)${errorStart}`);

function parseInfo(timeAndInfo: string): Info | null {
  const [match, ...others] = timeAndInfo.matchAll(statePattern);
  if (match === undefined || others.length > 0) return null;
  const state = match.groups?.["state"] ?? "";
  return { state, detail: timeAndInfo.slice(match.index + match[0].length).trim() };
}

/** For a disabled protocol, BIRD prints no BGP state, so nothing separates an error from the time. BIRD calls it `Down` elsewhere. */
function parseDown(timeAndInfo: string): Info | null {
  return errorPattern.test(timeAndInfo) ? null : { state: "Down", detail: "" };
}
