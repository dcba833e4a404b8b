/** The names and addresses of the scene. */
export const numbers = [1, 2, 3, 4] as const;
export type ParticipantNumber = (typeof numbers)[number];

/** The interfaces at both ends of the tunnel between the nodes. */
export const ownTunnel = { node: "own-per01", other: "own-syd01", port: 5000 } as const;
/** The other node's public address. */
export const otherNode = "198.51.100.253";
export const nodeAddresses = { IPv4: "172.20.16.1", IPv6: "fd42:d42::1" } as const;
export const otherAddresses = { IPv4: "172.20.16.2", IPv6: "fd42:d42::2" } as const;

export const networkAddresses = (number: ParticipantNumber) =>
  ({ IPv4: `172.20.${number}.1`, IPv6: `fd42:4242:${number}::1` }) as const;
export const prefixes = (number: ParticipantNumber) =>
  [`172.20.${number}.0/26`, `fd42:4242:${number}::/48`] as const;

export const asnOf = (number: ParticipantNumber) => `424242000${number}`;
