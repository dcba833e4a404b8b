import { maxPasskeyNameLength } from "../../contract/call-tables/accounts/passkey-calls.ts";
import { countCharacters, invisible } from "../text/characters.ts";

/** Returns what is wrong with the name of a passkey; "" if nothing is. */
export function checkPasskeyName(given: string): string {
  const length = countCharacters(given);
  if (length < 1) return "Enter a name, such as the device that has the passkey.";
  if (length > maxPasskeyNameLength) return `Enter a name of at most ${maxPasskeyNameLength} characters.`;
  return invisible.test(given.trim()) ? "Leave out invisible characters in the name." : "";
}
