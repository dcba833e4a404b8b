/** An absolute path, as in an error of BIRD: "/etc/bird/peers/x.conf:14:19 syntax error". */
const path = /(?:^|[\s"'`(:=])\/[A-Za-z]/;
/** A name in the node's configuration: an interface, a BGP session, a constant of BIRD's parser. */
const symbol = /\b(?:dn42|peerdeck)_\w|\b[A-Z]{2,}_[A-Z]/;

const replacement = "The node reported an error; its log has the details.";

/**
 * An agent's reason as the participant reads it: sentences with paths or names of the node are replaced. Agents that are
 * older than this server pass on what the router printed.
 */
export function participantReason(reason: string): string {
  const sentences = reason
    .split(/(?<=[.!?…])\s+/)
    .map((sentence) => (path.test(sentence) || symbol.test(sentence) ? replacement : sentence));
  return sentences.filter((sentence, index) => sentences.indexOf(sentence) === index).join(" ");
}
