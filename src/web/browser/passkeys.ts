/** The browser's part of passkeys (WebAuthn). Its library is loaded when a participant uses one. */
import type {
  CreatedCredential,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  UsedCredential,
} from "../../contract/call-tables/accounts/passkey-calls.ts";

/** Lets the participant create a passkey. Rejects with `PasskeyError`. */
export async function createPasskey(options: PasskeyCreationOptions): Promise<CreatedCredential> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  return startRegistration({
    optionsJSON: { ...options, excludeCredentials: [...options.excludeCredentials] },
  }).catch(rethrow("added"));
}

/** Lets the participant choose a passkey of this host and sign with it. Rejects with `PasskeyError`. */
export async function signWithPasskey(options: PasskeyRequestOptions): Promise<UsedCredential> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  return startAuthentication({ optionsJSON: options }).catch(rethrow("used"));
}

/** No passkey was created or used. The message says why, for the participant. */
export class PasskeyError extends Error {
  override readonly name = "PasskeyError";
}

/**
 * Browsers report by `NotAllowedError` that the participant has cancelled, that the time ran out, and that there is no passkey, so that
 * a site cannot tell these apart.
 */
const texts: Readonly<Record<string, Readonly<Record<"added" | "used", string>>>> = {
  NotAllowedError: {
    added: "No passkey was created: it was cancelled, or took too long. Try again when you are ready.",
    used: "No passkey was used: it was cancelled, took too long, or this device has none for this site.",
  },
  InvalidStateError: {
    added: "This device has a passkey of this account already.",
    used: "This device has no usable passkey for this site.",
  },
  SecurityError: {
    added: "Passkeys do not work at this address. Open the app at the address that the provider publishes.",
    used: "Passkeys do not work at this address. Open the app at the address that the provider publishes.",
  },
  ConstraintError: {
    added:
      "This device cannot store a passkey that is protected by a PIN, fingerprint or face. Use another one.",
    used: "This device cannot verify you by a PIN, fingerprint or face. Use another one.",
  },
  NotSupportedError: {
    added: "This browser or device does not support passkeys. Use another one.",
    used: "This browser or device does not support passkeys. Use another one.",
  },
};

const otherText = {
  added: "The browser could not create a passkey. Try again, or use another browser or device.",
  used: "The browser could not use a passkey. Try again, or log in with your password.",
};

function rethrow(act: "added" | "used") {
  return (error: unknown): never => {
    const name = typeof error === "object" && error !== null && "name" in error ? String(error.name) : "";
    throw new PasskeyError((texts[name] ?? otherText)[act], { cause: error });
  };
}
