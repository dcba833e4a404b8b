import type { TypedField } from "../../../domain/peer-form.ts";

export interface FieldText {
  readonly label: string;
  /** What is expected, in a sentence. */
  readonly hint: string;
  readonly placeholder: string;
}

export const fieldTexts: Readonly<Record<TypedField, FieldText>> = {
  remote_ip: {
    label: "Public IP or hostname",
    hint: "Where your router can be reached on the internet: a dotted IPv4 address or a host name.",
    placeholder: "router.example.org",
  },
  remote_port: {
    label: "Port",
    hint: "The UDP port that your WireGuard listens on: a whole number from 1 to 65535.",
    placeholder: "51820",
  },
  peer_ipv4: {
    label: "IPv4 tunnel address",
    hint: "The IPv4 address of your side of the tunnel, without a prefix length.",
    placeholder: "172.20.0.1",
  },
  peer_ipv6: {
    label: "IPv6 tunnel address",
    hint: "The IPv6 address of your side of the tunnel, link-local preferred, without a prefix length.",
    placeholder: "fe80::1",
  },
  local_ipv6: {
    label: "Enter the IPv6 address (link-local preferred):",
    hint: "The IPv6 address that our side of the tunnel gets, without a prefix length. Empty: we choose one.",
    placeholder: "fe80::2",
  },
  public_key: {
    label: "Public key",
    hint: "Your WireGuard public key as 'wg pubkey' prints it: 44 characters ending in '='.",
    placeholder: "",
  },
};
