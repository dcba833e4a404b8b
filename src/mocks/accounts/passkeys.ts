/** The passkeys of the mock backend's participant. Signatures are not verified: a stored ID logs in. */
import type {
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from "../../contract/call-tables/accounts/passkey-calls.ts";
import { HttpError } from "../../contract/http-error.ts";
import { checkPasskeyName } from "../../domain/proofs/passkey-name.ts";
import { type MockState, participant } from "../state.ts";

const nonce = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
/** The same bytes, base64url. */
const challenge = "Dx4tPEtaaXiHlqW0w9Lh8A";
const timeout = 15 * 60_000;

export function assertRecentLogin({ isLoginOld }: MockState): void {
  if (!isLoginOld) return;
  throw new HttpError(403, {
    message: "This change needs a login of the last 15 minutes. Nothing was changed; log in again.",
    needs: "recent-login",
  });
}

export function startPasskeyAddition(state: MockState, asn: string) {
  assertRecentLogin(state);
  const options: PasskeyCreationOptions = {
    challenge,
    rp: { id: "localhost", name: "Example Network" },
    user: {
      id: "AAECAwQFBgcICQoLDA0ODw",
      name: `AS${asn}`,
      displayName: `AS${asn} at Example Network`,
    },
    pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    timeout,
    attestation: "none",
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    excludeCredentials: state.passkeys.map(({ id }) => ({ type: "public-key", id })),
  };
  return { challenge: nonce, options };
}

export function addPasskey(
  state: MockState,
  { id, name }: Pick<Passkey, "id" | "name">,
  now: number,
): Passkey {
  assertRecentLogin(state);
  const problem = checkPasskeyName(name);
  if (problem !== "") throw new HttpError(422, { message: `${problem} Nothing was added.`, field: "name" });
  const added = { id, name: name.trim(), created: now, last_used: null, host: "localhost", here: true };
  state.passkeys.push(added);
  return added;
}

export function removePasskey(state: MockState, id: string): void {
  assertRecentLogin(state);
  if (state.isPasswordOff && state.passkeys.length === 1) {
    throw new HttpError(409, {
      message:
        "The password is turned off, and no other passkey would be left to log in with, so nothing was removed. " +
        "Add another passkey, or set a password with “Forgot password?”.",
    });
  }
  state.passkeys = state.passkeys.filter((each) => each.id !== id);
}

export function turnPasswordOff(state: MockState): void {
  assertRecentLogin(state);
  if (state.passkeys.every((each) => each.last_used === null)) {
    throw new HttpError(409, {
      message: "Log in with a passkey once, then turn the password off. Nothing was changed.",
    });
  }
  state.isPasswordOff = true;
}

export function startPasskeyLogin() {
  const options: PasskeyRequestOptions = {
    challenge,
    rpId: "localhost",
    timeout,
    userVerification: "required",
  };
  return { challenge: nonce, options };
}

/** Returns the AS that is logged in now. */
export function logInWithPasskey(state: MockState, id: string, now: number): string {
  const used = state.passkeys.find((each) => each.id === id);
  if (!used) {
    throw new HttpError(401, {
      message:
        "This passkey is not accepted here. It may have been removed. Choose another one, or log in with your password.",
    });
  }
  state.passkeys = state.passkeys.map((each) => (each === used ? { ...each, last_used: now } : each));
  state.loggedInAs = participant.asn;
  state.isLoginOld = false;
  return participant.asn;
}
