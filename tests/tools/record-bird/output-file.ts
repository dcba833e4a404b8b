/** The recordings' file format: blocks of `> command` and the lines of BIRD's reply. Lines with `# ` are comments. */

export interface Block {
  readonly command: string;
  readonly reply: Buffer;
}

/** Routes in a listing that is longer than a recording should be. */
const listedRoutes = 20;
/** The first line of a route: prefix, type, and the protocol with the time. A further route has no prefix. */
const heading = /^(?:1007-| )(?:[0-9a-f.:]+\/[0-9]+)? +\S+ \[/;

/** The time that recordings show, with as many digits as BIRD printed. */
const stopped = "2026-11-23 07:22:40.000000";
/** A time of the day, with a date or without; not a part of an IPv6 address. */
const time =
  /(?<![0-9a-f:.])(?:[0-9]{4}-[0-9]{2}-[0-9]{2} )?[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?![0-9a-f:])/g;
/** What is left of a timer, and its whole time in seconds. */
const timer = /^( +[A-Z][A-Za-z ]*: +)[0-9]+\.[0-9]{3}\/([0-9]+)(?= *$)/gm;

/**
 * Returns the text of a recording.
 *
 * @param configFolder the temporary folder of BIRD's configuration, which the recording shows as `/etc/bird`
 */
export function formatBlocks(blocks: readonly Block[], configFolder: string): string {
  const texts = blocks.flatMap(({ command, reply }) => {
    // One octet a character, so that invalid UTF-8 stays as it is.
    const text = reply.toString("latin1").replaceAll(configFolder, "/etc/bird");
    return [`> ${command}\n`, ...shorten(text)];
  });
  return stopClock(texts.join(""));
}

/** Shows all times as the same, and timers as just started: recordings then differ only in what versions differ in. */
export function stopClock(text: string): string {
  return text
    .replaceAll(time, (found) => stopped.slice(/^[0-9]{4}/.test(found) ? 0 : 11).slice(0, found.length))
    .replaceAll(timer, "$1$2.000/$2");
}

/** Removes the routes after the first ones, and says so in a comment before the reply. */
function shorten(reply: string): readonly string[] {
  const lines = reply.split("\n").slice(0, -1);
  const routes = lines.flatMap((line, index) => (heading.test(line) ? [index] : []));
  const end = routes[listedRoutes];
  if (end === undefined) return [reply];
  const comment = `# Shortened by the recorder: the first ${listedRoutes} of ${routes.length} routes.`;
  return [comment, ...lines.slice(0, end), lines.at(-1) ?? ""].map((line) => `${line}\n`);
}
