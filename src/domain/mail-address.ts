/** One atom of a dot-string (RFC 5321, 4.1.2). Quoted local parts are invalid: only attacks use them. */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * Whether a text is one plain mail address, `local@host.domain`, and nothing else: no name, no comment, no quoting, no
 * address literal, ASCII only. Such a text can be used in a mail header without escaping.
 */
export function isMailAddress(text: string): boolean {
  if (text.length > 254) return false;
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const labels = text.slice(at + 1).split(".");
  return (
    local.length <= 64 &&
    localPart.test(local) &&
    labels.length > 1 &&
    labels.every((part) => label.test(part)) &&
    !/\.[0-9]+$/.test(text)
  );
}
