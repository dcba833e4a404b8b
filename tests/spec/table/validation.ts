import type { Rows } from "./row.ts";

/** What the wizard's fields accept. */
export const validationRows = {
  5: {
    "details-required":
      "remote_ip, remote_port and public_key are required; an empty field that was left shows 'Invalid value'.",
    "details-forms":
      "remote_ip: a dotted IPv4 address (octets 0-255), or a host name of dot-separated labels with a final alphabetic label; remote_port: integer 1 to 65535, no leading zero; peer_ipv4: valid dotted IPv4 address; peer_ipv6: valid IPv6 form (full, compressed, link-local with zone, IPv4-mapped); public_key: valid base64 with correct padding (groups of four) (Reading: One letter is enough for the final label, and an A-label such as xn--p1ai passes too.)",
    "local-ipv6": "local_ipv6: valid IPv6 form (full, compressed, link-local with zone, IPv4-mapped)",
    "local-ipv6-optional": "local_ipv6 is optional",
    "next-always":
      "Next on the details step is enabled only when remote_ip, remote_port and public_key are valid, and IPv4 or Both with extended nexthop No: IPv4 tunnel address; Both with extended nexthop Yes: IPv6 tunnel address required and valid",
    "next-ipv6":
      "IPv6 only: no tunnel address required by this check, although the field is shown (Reading: An optional value may be empty, but not invalid.)",
  },
} as const satisfies Rows;
