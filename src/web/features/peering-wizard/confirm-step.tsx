import type { PeerForm } from "../../../domain/peer-form.ts";
import { toPeerUpdate } from "../../../domain/peer-form.ts";
import { useProvider } from "../../api/provider.ts";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Provided } from "../../ui/provided.tsx";

/** Everything that Submit will send. */
export function ConfirmStep({ form }: { readonly form: PeerForm }) {
  const { domain } = useProvider();
  const update = toPeerUpdate(form);
  const entries = [
    ["Node", `${update.node}.${domain}`],
    ["Address family", update.address_family],
    ["Extended Nexthop", update.bgp_extnh],
    ["Public IP or hostname", update.remote_ip],
    ["Port", update.remote_port],
    ["Public key", update.public_key],
    ["IPv4 tunnel address", update.peer_ipv4],
    ["IPv6 tunnel address", update.peer_ipv6],
    ["Tunnel IPv6 of our side", update.local_ipv6],
  ] as const;
  return (
    <KeyValueList items={entries.map(([label, value]) => ({ label, value: <Provided value={value} /> }))} />
  );
}
