const shortest = 8;
const longest = 1024;

/**
 * Why a password is refused, or null. Length is counted in characters, not bytes; lists of common passwords
 * are the server's business.
 */
export function passwordFault(password: string, asn: string): string | null {
  const length = Array.from(password).length;
  if (length < shortest) return `Use at least ${shortest} characters; 15 or a sentence is better.`;
  if (length > longest) return `Use at most ${longest} characters.`;
  if (!password.isWellFormed()) return "The password holds a broken character. Type it again.";
  if (password.toUpperCase().replace(/^AS/, "") === asn)
    return "Your AS number is known to everybody. Choose something else.";
  return null;
}
