/** The recordings' file format: blocks of `> command` and the lines of BIRD's reply. */

export interface Block {
  readonly command: string;
  readonly reply: Buffer;
}

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
  // One octet a character, so that invalid UTF-8 stays as it is.
  const texts = blocks.map(({ command, reply }) => `> ${command}\n${reply.toString("latin1")}`);
  return stopClock(texts.join("").replaceAll(configFolder, "/etc/bird"));
}

/** Shows all times as the same, and timers as just started: recordings then differ only in what versions differ in. */
export function stopClock(text: string): string {
  return text
    .replaceAll(time, (found) => stopped.slice(/^[0-9]{4}/.test(found) ? 0 : 11).slice(0, found.length))
    .replaceAll(timer, "$1$2.000/$2");
}
