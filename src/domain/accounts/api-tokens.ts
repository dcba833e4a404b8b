/** The rules of API tokens, for the form and the server. */

/** Secret scanners recognise a leaked token by its start. */
export const apiTokenPrefix = "peerdeck_";

export const apiTokenScopes = ["read", "change"] as const;
export type ApiTokenScope = (typeof apiTokenScopes)[number];

/** How long a token can be valid. */
export const apiTokenDays = [30, 90, 365] as const;
export type ApiTokenDays = (typeof apiTokenDays)[number];

/** Tokens of an AS. */
export const maxApiTokens = 20;

const maxNameLength = 60;

/** "Read and change" */
export const apiTokenScopeLabels: Readonly<Record<ApiTokenScope, string>> = {
  read: "Read",
  change: "Read and change",
};

/** Returns why a name is not accepted, or null. The name has no blanks around it. */
export function checkApiTokenName(name: string): string | null {
  const length = Array.from(name).length;
  if (length === 0) return "Enter a name that tells you later which script has the token.";
  if (length > maxNameLength) return `Use at most ${maxNameLength} characters.`;
  if (!name.isWellFormed() || /\p{C}/u.test(name))
    return "The name contains a character that cannot be shown.";
  return null;
}
