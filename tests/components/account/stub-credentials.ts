/** A stub of the browser's passkeys, which jsdom lacks. */
import { vi } from "vitest";
import { stubNavigator } from "../../support/window-properties.ts";

const bytes = (text: string) => new TextEncoder().encode(text).buffer;

/** Returns a browser whose participant creates or uses the passkey with the ID "blue", or what `fail` says. */
export function stubCredentials() {
  const browser = {
    /** The name of the error with which the next ceremony ends; empty: none. */
    fail: "",
    created: [] as CredentialCreationOptions[],
    used: [] as CredentialRequestOptions[],
  };
  const respond = (response: object) => {
    if (browser.fail !== "") throw new DOMException("The operation is not allowed.", browser.fail);
    return {
      id: "Ymx1ZQ",
      rawId: bytes("blue"),
      type: "public-key",
      response,
      getClientExtensionResults: () => ({}),
    };
  };
  const clientDataJSON = bytes("{}");
  const credentials = {
    create: async (options: CredentialCreationOptions) => {
      browser.created.push(options);
      return respond({ clientDataJSON, attestationObject: bytes("attestation") });
    },
    get: async (options: CredentialRequestOptions) => {
      browser.used.push(options);
      const signed = { authenticatorData: bytes("data"), signature: bytes("signature") };
      return respond({ clientDataJSON, ...signed, userHandle: bytes("handle") });
    },
  };
  vi.stubGlobal("PublicKeyCredential", vi.fn());
  stubNavigator({ credentials });
  return browser;
}

/** The ID of the passkey of `stubCredentials`, base64url. */
export const passkeyId = "Ymx1ZQ";
