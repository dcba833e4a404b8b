import type { Row } from "./row.ts";

/** What the wizard's fields accept. */
export const validationRows = [
  {
    id: "invalid-touched",
    section: 5,
    says: "Wizard fields show 'Invalid value' after being touched (blurred) and failing",
  },
  { id: "invalid-text", section: 8, says: "Field error: 'Invalid value'." },
  { id: "remote-ip-required", section: 5, says: "remote_ip: required" },
  { id: "remote-ip-dotted", section: 5, says: "remote_ip: a dotted IPv4 address (octets 0-255)" },
  {
    id: "remote-ip-host",
    section: 5,
    says: "remote_ip: or a host name of dot-separated labels with a final alphabetic label",
    reading: "One letter is enough, and an A-label such as xn--p1ai passes too.",
  },
  { id: "port-required", section: 5, says: "remote_port: required" },
  { id: "port-range", section: 5, says: "remote_port: integer 1 to 65535, no leading zero" },
  { id: "port-range-constant", section: 9, says: "Port range 1 to 65535." },
  { id: "peer-ipv4", section: 5, says: "peer_ipv4: valid dotted IPv4 address" },
  {
    id: "peer-ipv6",
    section: 5,
    says: "peer_ipv6: valid IPv6 form (full, compressed, link-local with zone, IPv4-mapped)",
  },
  {
    id: "local-ipv6",
    section: 5,
    says: "local_ipv6: valid IPv6 form (full, compressed, link-local with zone, IPv4-mapped)",
  },
  { id: "local-ipv6-optional", section: 5, says: "local_ipv6 is optional" },
  { id: "key-required", section: 5, says: "public_key: required" },
  {
    id: "key-base64",
    section: 5,
    says: "public_key: valid base64 with correct padding (groups of four)",
  },
  {
    id: "next-always",
    section: 5,
    says: "Next on the details step is enabled only when remote_ip, remote_port and public_key are valid",
  },
  { id: "next-ipv4", section: 5, says: "and IPv4: IPv4 tunnel address required and valid" },
  {
    id: "next-both-yes",
    section: 5,
    says: "and Both with extended nexthop Yes: IPv6 tunnel address required and valid",
  },
  {
    id: "next-both-no",
    section: 5,
    says: "and Both with extended nexthop No: IPv4 tunnel address required and valid",
  },
  {
    id: "next-ipv6",
    section: 5,
    says: "IPv6 only: no tunnel address required by this check, although the field is shown",
    reading: "An optional value may be empty, but not invalid.",
  },
] as const satisfies readonly Row[];
