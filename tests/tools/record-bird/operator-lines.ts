/** What an operator may add to bird.conf beside our part. */

/**
 * Returns a session of the operator's own with AS4242420001 over link-local addresses.
 *
 * @param name the protocol's name
 * @param channelLines settings of both channels
 * @param lines settings of the session
 */
export function operatorSession(
  name: string,
  channelLines: readonly string[] = [],
  lines: readonly string[] = [],
): readonly string[] {
  const channel = `{ import filter peerdeck_import; import keep filtered on; export none; ${channelLines.join(" ")} };`;
  return [
    `protocol bgp ${name} from peerdeck_peer {`,
    "    local fe80::2227 as OWN_AS;",
    "    neighbor fe80::1 % 'dn42_4242420001' as 4242420001;",
    "    connect delay time 1;",
    "    error wait time 1, 10;",
    ...lines.map((line) => `    ${line}`),
    `    ipv4 ${channel}`,
    `    ipv6 ${channel}`,
    "}",
  ];
}
