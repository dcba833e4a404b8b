/** The tunnel of a peering as an agent observes it. */
import * as v from "valibot";
import { byteCount, milliseconds, percent, seconds } from "./bounds.ts";

/** `198.51.100.1:51820` or `[2001:db8::1]:51820`. */
const endpoint = v.pipe(v.string(), v.regex(/^[\da-f.:[\]]{3,60}$/));

export const observedTunnel = v.object({
  state: v.picklist(["Up", "Down"]),
  rxBytes: byteCount,
  txBytes: byteCount,
  /** Null before the first handshake. */
  handshakeAgeSeconds: v.nullable(seconds),
  /** Of the last reply to a probe; null without one in the last five minutes. */
  latencyMs: v.nullable(milliseconds),
  /** Share of probes without a reply in the last five minutes; null without probes. */
  lossPercent: v.nullable(percent),
  /** The address and port to which the node sends now; null without one. */
  endpoint: v.nullable(endpoint),
});
