/**
 * The keys of a provider profile that setup asks for, in the order of the questions and of the file. The comment explains
 * the question, and the key in the file.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { defaultTls } from "#server/config/profile-rules.ts";
import { type Draft, readValue } from "./draft.ts";

export interface Question {
  /** From the root of the profile. */
  readonly path: readonly string[];
  /** Of the command line. */
  readonly flag: string;
  readonly label: string;
  /** One line. */
  readonly comment: string;
  /** Converts what was typed. The schema of the profile checks the value. */
  readonly parse: (typed: string) => unknown;
  /**
   * The answer if nothing is typed, by the answers before; "" leaves the key out, and null is none yet. Absent: an answer
   * is required.
   */
  readonly initial?: (draft: Draft) => string | null;
  readonly isAsked?: (draft: Draft) => boolean;
}

const text = (typed: string) => typed;
const list = (typed: string) => typed.split(/[\s,]+/).filter((item) => item !== "");
const leftOut = () => "";

/**
 * A folder with data/ is a clone that the operator updates. The server fetches from everything else. Paths on the command
 * line start at the current folder, those in the profile at its own.
 */
function parseRegistry(typed: string): object {
  const isClone = typed.startsWith(".") || existsSync(join(typed, "data"));
  return isClone ? { path: resolve(typed) } : { url: typed };
}

function readText(draft: Draft, path: Question["path"]): string | null {
  const value = readValue(draft, path);
  return typeof value === "string" ? value : null;
}

export const questions: readonly Question[] = [
  {
    path: ["name"],
    flag: "name",
    label: "Name",
    comment: "The provider's name, shown in the app and in mails",
    parse: text,
  },
  {
    path: ["domain"],
    flag: "domain",
    label: "Domain",
    comment: "Nodes are shown as NODE.DOMAIN",
    parse: text,
  },
  {
    path: ["asn"],
    flag: "asn",
    label: "AS number",
    comment: "The provider's own AS number, which cannot register",
    parse: (typed) => typed.replace(/^AS/i, ""),
  },
  {
    path: ["public_url"],
    flag: "public-url",
    label: "Public URL",
    comment: "The app's URL for participants, which leads to the reverse proxy. Links in mails start with it",
    parse: text,
    initial: (draft) => {
      const domain = readText(draft, ["domain"]);
      return domain === null ? null : `https://peering.${domain}`;
    },
  },
  {
    path: ["support_address"],
    flag: "support-address",
    label: "Support address",
    comment: "The mail address that receives the messages of participants",
    parse: text,
  },
  {
    path: ["prefixes"],
    flag: "prefix",
    label: "Prefixes",
    comment: "The provider's own prefixes of both families, which participants' addresses must not be in",
    parse: list,
    initial: leftOut,
  },
  {
    path: ["trusted_proxies"],
    flag: "trusted-proxy",
    label: "Trusted proxies",
    comment: "Addresses of the reverse proxies, whose X-Forwarded-For is believed",
    parse: list,
    initial: () => "127.0.0.1, ::1",
  },
  {
    path: ["registry"],
    flag: "registry",
    label: "Registry",
    comment: "The registry: a URL that git fetches from, or the folder of a clone that you update",
    parse: parseRegistry,
  },
  {
    path: ["mail", "url"],
    flag: "mail-url",
    label: "Mail server",
    comment:
      "The mail server: smtp:// or smtps://, user and password percent-encoded: smtps://user:password@mail.example.net",
    parse: text,
  },
  {
    path: ["mail", "from"],
    flag: "mail-from",
    label: "Sender",
    comment: "The sender of mails",
    parse: text,
    initial: (draft) => {
      const [name, address] = [readText(draft, ["name"]), readText(draft, ["support_address"])];
      return name === null || address === null ? null : `${name} <${address}>`;
    },
  },
  {
    path: ["mail", "tls"],
    flag: "mail-tls",
    label: "TLS",
    comment: "TLS to the mail server: required, opportunistic (if it offers TLS, unverified) or none",
    parse: text,
    initial: (draft) => {
      const url = readText(draft, ["mail", "url"]);
      return url === null ? null : defaultTls(url, readText(draft, ["mail", "ca"]) ?? undefined);
    },
  },
  {
    path: ["mail", "ca"],
    flag: "mail-ca",
    label: "Authority",
    comment: "A PEM file with the authority of the mail server's certificate, if it is your own",
    parse: (typed) => resolve(typed),
    initial: leftOut,
    isAsked: (draft) => readValue(draft, ["mail", "tls"]) === "required",
  },
];
