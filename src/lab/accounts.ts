/** Accounts of participants, over HTTP as anybody's. */
import { calls } from "../contract/calls.ts";
import { type Caller, createCaller } from "../contract/client.ts";

/**
 * Sets a participant's password by the mailed link.
 *
 * @param mailed resolves with the text of the next mail
 */
export async function register(
  url: string,
  { asn, password }: { readonly asn: string; readonly password: string },
  mailed: () => Promise<string>,
): Promise<void> {
  const call = caller(url);
  const arrival = mailed();
  await call(calls.sendEmailVerification, { asn });
  const token = /token=([\w-]+)/.exec(await arrival)?.[1];
  if (token === undefined) throw new Error(`the mail to AS${asn} holds no link`);
  await call(calls.setPassword, { token, password });
}

/** Signs in, and gives what makes further calls. */
export async function signIn(url: string, asn: string, password: string): Promise<Caller> {
  let cookie = "";
  await caller(url, "", (set) => {
    cookie = set;
  })(calls.login, { username: asn, password });
  return caller(url, cookie);
}

/** Makes calls to a server with a cookie, or anonymously without. Cookies that it sets go to `onCookie`. */
export function caller(url: string, cookie = "", onCookie: (cookie: string) => void = () => {}): Caller {
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
