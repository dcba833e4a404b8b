/**
 * The main job of a script: nodes, create, wait, status, edit, delete. It is for bash with curl 7.82 or newer and jq, and
 * `docs/api.md` has the same lines.
 *
 * @param url the server's public URL
 */
export function mainJob(url: string): string {
  return String.raw`url=${url}
asn=4242420001
auth=@$HOME/peerdeck-token
peering='"node": "de01", "address_family": "Both", "bgp_extnh": "Yes", "remote_ip": "203.0.113.7", "peer_ipv6": "fe80::1", "public_key": "HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8ykw="'

curl -sS "$url/api/nodes.json" | jq -r '.nodes[] | select(.state == "open").name'
task=$(curl -sS -H "$auth" --json "[{\"username\": \"$asn\"}, {$peering, \"remote_port\": \"51820\"}]" "$url/api/updatePeerConfig" | jq -r '.taskID // error(.message)')
wait_for_task() { until curl -sS -H "$auth" --json "{\"username\": \"$asn\", \"taskID\": \"$task\"}" "$url/api/getTaskStatus" | jq -e 'select(.status != "waiting")'; do sleep 1; done; }; wait_for_task
curl -sS -H "$auth" --json "{\"username\": \"$asn\"}" "$url/api/getPeerStatus" | jq -r '.[] | "\(.node) \(.bgp_status)"'
task=$(curl -sS -H "$auth" --json "[{\"username\": \"$asn\"}, {$peering, \"remote_port\": \"51821\"}]" "$url/api/updatePeerConfig" | jq -r '.taskID // error(.message)') && wait_for_task
task=$(curl -sS -H "$auth" --json "{\"username\": \"$asn\", \"node\": \"de01\"}" "$url/api/deletePeer" | jq -r '.taskID // error(.message)') && wait_for_task
`;
}
