/** The ceremonies of passkeys: a challenge of the server, a response of the browser, and the result. */
import { passkeyCalls, type Passkey } from "../../contract/call-tables/accounts/passkey-calls.ts";
import { createPasskey, PasskeyError, signWithPasskey } from "../browser/passkeys.ts";
import { call, errorMessage } from "./client.ts";

/** Logs in with the passkey that the participant chooses. Returns its AS. Rejects with `PasskeyError`, or like `call`. */
export async function logInWithPasskey(): Promise<string> {
  const { challenge, options } = await call(passkeyCalls.startPasskeyLogin, undefined);
  const credential = await signWithPasskey(options);
  const { username } = await call(passkeyCalls.finishPasskeyLogin, { challenge, credential });
  return username;
}

/** Lets the participant create a passkey, and adds it to the account. Rejects with `PasskeyError`, or like `call`. */
export async function addPasskey(username: string, name: string): Promise<Passkey> {
  const { challenge, options } = await call(passkeyCalls.startPasskeyAddition, { username });
  const credential = await createPasskey(options);
  return call(passkeyCalls.finishPasskeyAddition, { username, challenge, name, credential });
}

/** A message for the participant. */
export function passkeyErrorMessage(error: Error): string {
  return error instanceof PasskeyError ? error.message : errorMessage(error);
}
