import { HttpError } from "#contract/http-error.ts";
import { findPasskeyHost, listPublicUrls, type PublicUrls } from "#domain/public-urls.ts";

/** The challenge was used, has expired, or belongs to another browser or purpose. */
export function usedCeremonyError(): HttpError {
  return new HttpError(422, {
    message: "This request for a passkey was used or has expired. Nothing was changed; try again.",
    field: "challenge",
  });
}

export function refusedCreationError(): HttpError {
  return new HttpError(422, {
    message:
      "The passkey was not added: what the browser sent does not fit this page, or the device did not verify you. " +
      "Reload the page and try again.",
    field: "credential",
  });
}

/** One error for an unknown, removed, foreign and forged passkey. */
export function refusedLoginError(): HttpError {
  return new HttpError(401, {
    message:
      "This passkey is not accepted here. It may have been removed. Choose another one, or log in with your password.",
  });
}

/** Returns the host of the passkeys at a public URL. Throws `HttpError` 409 where browsers offer none. */
export function requirePasskeyHost(publicUrl: string, urls: PublicUrls): string {
  const host = findPasskeyHost(publicUrl);
  if (host !== null) return host;
  const other = listPublicUrls(urls).find((url) => findPasskeyHost(url) !== null);
  const where = other === undefined ? "" : ` Open the app at ${other}.`;
  throw new HttpError(409, { message: `Passkeys need an encrypted address with a name.${where}` });
}
