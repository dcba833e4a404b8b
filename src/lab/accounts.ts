/** Registers participants and signs them in over HTTP. */
import { calls } from "../contract/calls.ts";
import { type Caller, createCaller } from "../contract/client.ts";

/**
 * Registers a participant with the link of the verification mail.
 *
 * @param mailed resolves with the text of the next mail
 */
export async function registerAccount(
  url: string,
  { asn, password }: { readonly asn: string; readonly password: string },
  mailed: () => Promise<string>,
): Promise<void> {
  const call = createHttpCaller(url);
  const mail = mailed();
  await call(calls.sendEmailVerification, { asn });
  const token = /token=([\w-]+)/.exec(await mail)?.[1];
  if (token === undefined) throw new Error(`the mail to AS${asn} contains no link`);
  await call(calls.setPassword, { token, password });
}

/** Logs in and returns a caller with the login session's cookie. */
export async function logIn(url: string, asn: string, password: string): Promise<Caller> {
  let cookie = "";
  await createHttpCaller(url, "", (set) => {
    cookie = set;
  })(calls.login, { username: asn, password });
  return createHttpCaller(url, cookie);
}

/**
 * Creates a caller with a cookie, or an anonymous one without. Cookies that the server sets are passed to
 * `onCookie`.
 */
export function createHttpCaller(
  url: string,
  cookie = "",
  onCookie: (cookie: string) => void = () => {},
): Caller {
  return createCaller(async ({ method, path, headers, body, signal }) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(cookie && { cookie }) },
      signal: (signal as AbortSignal | undefined) ?? null,
      ...(body !== null && { body }),
    });
    const set = response.headers.getSetCookie()[0]?.split(";")[0];
    if (set !== undefined) onCookie(set);
    return { status: response.status, text: () => response.text() };
  });
}
