/** Links that a provider's server mails to a real mail server. */
import { calls } from "#contract/calls.ts";
import type { MailServer } from "#lab/mail-server.ts";
import { waitFor } from "../../support/wait-for.ts";
import { caller, logIn, type Participant } from "../server/participant.ts";

export const password = "a sentence for the tests";

/** Requests a registration, and returns the token of the mail that arrives then. */
export async function requestToken(mail: MailServer, url: string, asn: string): Promise<string> {
  const before = mail.text().length;
  await caller(url)(calls.sendEmailVerification, { asn });
  return waitFor(() => {
    const [, token = ""] = /token=([\w-]{43})/.exec(mail.text().slice(before)) ?? [];
    if (token === "") throw new Error(`no link was mailed to AS${asn}`);
    return token;
  });
}

/** Registers an account with a mailed link, and logs in. */
export async function signUpByMail(mail: MailServer, url: string, asn: string): Promise<Participant> {
  const token = await requestToken(mail, url, asn);
  await caller(url)(calls.setPassword, { token, password });
  return logIn(url, asn, password);
}
