import type {
  CreatedCredential,
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  UsedCredential,
} from "#contract/call-tables/accounts/passkey-calls.ts";
import { requestAt } from "../../support/request-at.ts";
import {
  createSoftwarePasskey,
  type Forgery,
  type SoftwarePasskey,
  useSoftwarePasskey,
} from "../../support/software-authenticator.ts";
import { type AccountServer, goodPassword, register } from "./account-server.ts";

export const publicUrl = "https://peering.example.net";
export const username = "4242420001";

/** A browser with cookies, at one of the public URLs. */
export function openBrowser(server: Pick<AccountServer, "url">, at: string = publicUrl) {
  const cookies = new Map<string, string>();
  const { host } = new URL(at);
  return {
    at,
    async post(path: string, body: unknown = {}) {
      const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
      const response = await requestAt(`${server.url}/api/${path}`, { host, headers: { cookie }, body });
      for (const set of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (value === "") cookies.delete(name);
        else cookies.set(name, value);
      }
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}

export type Browser = ReturnType<typeof openBrowser>;

/** Registers the AS, and returns a browser that has just logged in with the password. */
export async function registeredBrowser(server: AccountServer): Promise<Browser> {
  await register(server);
  return loggedInBrowser(server);
}

export async function loggedInBrowser(
  server: Pick<AccountServer, "url">,
  as = username,
  at = publicUrl,
): Promise<Browser> {
  const browser = openBrowser(server, at);
  const { status } = await browser.post("login/", { username: as, password: goodPassword });
  if (status !== 200) throw new Error(`the login was refused with ${status}`);
  return browser;
}

export interface StartedAddition {
  readonly challenge: string;
  readonly options: PasskeyCreationOptions;
}

export async function startAddition(browser: Browser, as = username): Promise<StartedAddition> {
  const { status, body } = await browser.post("startPasskeyAddition", { username: as });
  if (status !== 200) throw new Error(`the addition was refused: ${JSON.stringify(body)}`);
  return body as unknown as StartedAddition;
}

export interface Finish {
  readonly challenge: string;
  readonly credential: CreatedCredential;
  readonly name?: string;
  readonly as?: string;
}

export const finishAddition = (
  browser: Browser,
  { challenge, credential, name = "Test device", as = username }: Finish,
) => browser.post("finishPasskeyAddition", { username: as, challenge, name, credential });

/** Adds a passkey, and returns it. */
export async function addPasskey(
  browser: Browser,
  {
    name = "Test device",
    as = username,
    ...forged
  }: Forgery & { readonly name?: string; readonly as?: string } = {},
): Promise<SoftwarePasskey> {
  const { challenge, options } = await startAddition(browser, as);
  const { passkey, credential } = createSoftwarePasskey(options, browser.at, forged);
  const { status, body } = await finishAddition(browser, { challenge, credential, name, as });
  if (status !== 200) throw new Error(`the passkey was refused: ${JSON.stringify(body)}`);
  return passkey;
}

export async function startLogin(browser: Browser) {
  const { body } = await browser.post("startPasskeyLogin");
  return body as unknown as { readonly challenge: string; readonly options: PasskeyRequestOptions };
}

/** Logs in with a passkey. Returns the response to the last call. */
export async function logInWith(browser: Browser, passkey: SoftwarePasskey, forged: Forgery = {}) {
  const { challenge, options } = await startLogin(browser);
  const credential = useSoftwarePasskey(passkey, options, browser.at, forged);
  return finishLogin(browser, challenge, credential);
}

export const finishLogin = (browser: Browser, challenge: string, credential: UsedCredential) =>
  browser.post("finishPasskeyLogin", { challenge, credential });

export async function listPasskeys(browser: Browser, as = username): Promise<readonly Passkey[]> {
  return (await browser.post("getPasskeys", { username: as })).body as unknown as readonly Passkey[];
}

export async function isLoggedIn(browser: Browser): Promise<boolean> {
  return (await browser.post("getPasskeys", { username })).status === 200;
}

export const passwordLogin = (server: Pick<AccountServer, "url">, password = goodPassword) =>
  openBrowser(server).post("login/", { username, password });
