const quips = [
  "Convincing the packets that this way is shorter…",
  "Asking BGP nicely to make up its mind…",
  "Counting to 65,535 so that you don't have to…",
  "Untangling the tunnel. Who coiled it left-handed?",
  "Shaking hands. Firmly, with 148 bytes…",
  "Teaching a router your name. It only remembers numbers.",
  "Prepending encouragement to the AS path…",
  "Looking for the next hop. It was here a moment ago…",
  "Dampening expectations, not routes…",
  "Polishing the keepalives…",
  "Reading the routing table aloud. The router likes that…",
  "Moving at the speed of light, less the serialization delay…",
] as const;

/** A humorous waiting message. */
export function pickQuip(): string {
  return quips[Math.floor(Math.random() * quips.length)] ?? quips[0];
}
