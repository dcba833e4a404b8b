/** Links that a server in a process of its own mails to a real mail server. */
import { calls } from "#contract/calls.ts";
import type { MailServer } from "#lab/mail-server.ts";
import { waitFor } from "../../support/wait-for.ts";
import { caller } from "../server/participant.ts";

/** Requests a link, and returns the token of the mail that arrives then. */
export async function requestToken(
  mail: MailServer,
  url: string,
  request: { readonly asn: string; readonly password_reset?: "Yes" },
): Promise<string> {
  const before = mail.text().length;
  await caller(url)(calls.sendEmailVerification, request);
  return waitFor(() => {
    const [, token = ""] = /token=([\w-]{43})/.exec(mail.text().slice(before)) ?? [];
    if (token === "") throw new Error(`no link was mailed to AS${request.asn}`);
    return token;
  });
}

/** Registers an account with a mailed link. */
export async function register(
  mail: MailServer,
  url: string,
  { asn, password }: { readonly asn: string; readonly password: string },
): Promise<void> {
  const token = await requestToken(mail, url, { asn });
  await caller(url)(calls.setPassword, { token, password });
}
