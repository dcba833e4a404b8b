/** An absolute path, as in an error of BIRD: "/etc/bird/peers/x.conf:14:19 syntax error". */
const path = /(?:^|[\s"'`(:=])\/[A-Za-z]/;
/** A name in the node's configuration: an interface, a BGP session, a constant of BIRD's parser. */
const symbol = /\b(?:dn42|peerdeck)_\w|\b[A-Z]{2,}_[A-Z]/;

const replacement = "The node reported an error; its log has the details.";
const stepReplacement = "The node's log has the details of this step.";

/**
 * An agent's reason as the participant reads it: sentences with paths or names of the node are replaced. Agents that are
 * older than this server pass on what the router printed.
 */
export function participantReason(reason: string): string {
  return replaceSentences(reason, replacement);
}

/** An agent's steps as the participant reads them: they are like reasons, but most are no errors. */
export function participantSteps(steps: readonly string[]): string[] {
  const shown = steps.map((step) => replaceSentences(step, stepReplacement));
  return shown.filter((step, index) => shown.indexOf(step) === index);
}

function replaceSentences(text: string, replaced: string): string {
  const sentences = text
    .split(/(?<=[.!?…])\s+/)
    .map((sentence) => (path.test(sentence) || symbol.test(sentence) ? replaced : sentence));
  return sentences.filter((sentence, index) => sentences.indexOf(sentence) === index).join(" ");
}
