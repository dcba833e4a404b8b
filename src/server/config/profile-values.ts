/** Values that more than one rule describes: labels, pages, templates of addresses, the map's tiles. */
import { createPublicKey } from "node:crypto";
import * as v from "valibot";
import { isMailAddress } from "../../domain/mail-address.ts";
import { parsed, text } from "../../system/config/config-values.ts";

/** Without control characters, quotes or angle brackets: labels occur in mail headers and in the app. */
function isLabel(given: string): boolean {
  return given.trim() === given && given.length <= 80 && /^[^\p{C}<>"\\]+$/u.test(given);
}

export const domainLabels = /^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/;

export const label = text(
  "a text of at most 80 characters without quotes, angle brackets or line breaks",
  isLabel,
);

export function parseOrigin(given: string): string | null {
  const url = URL.parse(given);
  const bare = url && `${url.protocol}//${url.host}`;
  return bare && /^https?:$/.test(url.protocol) && given.replace(/\/$/, "").toLowerCase() === bare
    ? bare
    : null;
}

export const publicUrl = parsed(
  "the public http or https URL of the app without a path, such as https://peering.example.net",
  parseOrigin,
);

/** A page of this server may be a path, such as the built-in status page. */
function isPage(given: string): boolean {
  return given === "" || /^\/(?!\/)[^\s"'<>\\]*$/.test(given) || isHttpUrl(given);
}

/** The origin becomes part of the content security policy, so the host must not contain characters with a meaning there. */
export function isHttpUrl(given: string): boolean {
  return (
    URL.canParse(given) && /^https?:\/\/[a-z0-9.:[\]-]+(?:[/?#]|$)/i.test(given) && !/[\s"'<>\\]/.test(given)
  );
}

export const page = v.optional(
  text("an http or https URL with a plain host, or a path that starts with /", isPage),
  "",
);

export function template(...placeholders: readonly string[]) {
  return v.optional(templateText(...placeholders), "");
}

/** Placeholders are allowed only after the host: the content security policy contains one origin per template. */
function templateText(...placeholders: readonly string[]) {
  const named = placeholders
    .map((name) => `{${name}}`)
    .join(", ")
    .replace(/, ([^,]+)$/, " and $1");
  const expected =
    placeholders.length === 0
      ? "an http or https URL with a plain host, or a path that starts with /, without placeholders"
      : `an http or https URL with a plain host, or a path that starts with /, that contains ${named} after the host and no other placeholder`;
  const accept = (given: string) => {
    const used = [...given.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
    const filled = given.replaceAll(/\{[^{}]*\}/g, "x");
    const complete =
      placeholders.every((name) => used.includes(name)) &&
      used.every((name) => placeholders.includes(name ?? ""));
    const inHost = /^[^/]*\/\/[^/?#]*\{/.test(given);
    return given === "" || (complete && !inHost && !/[{}]/.test(filled) && isPage(filled));
  };
  return text(expected, accept);
}

const openStreetMap = {
  tiles: "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
  attribution: "© OpenStreetMap contributors",
  attribution_url: "https://www.openstreetmap.org/copyright",
} as const;
const noCredit = { attribution: "", attribution_url: "" };

export const map = v.pipe(
  v.strictObject({
    tiles: v.optional(templateText("z", "x", "y"), openStreetMap.tiles),
    attribution: v.optional(
      text(
        'the attribution that the tile service requires, or "" for none',
        (given) => given === "" || isLabel(given),
      ),
    ),
    attribution_url: v.optional(
      text("an http or https URL with a plain host", (given) => given === "" || isHttpUrl(given)),
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    if ([openStreetMap.tiles, ""].includes(value.tiles) || value.attribution !== undefined) return;
    addIssue({
      input: undefined,
      path: [{ type: "object", origin: "value", input: value, key: "attribution", value: undefined }],
    });
  }),
  v.transform((given) => {
    const credit = given.tiles === openStreetMap.tiles ? openStreetMap : noCredit;
    return {
      tiles: given.tiles,
      attribution: given.attribution ?? credit.attribution,
      attribution_url: given.attribution_url ?? credit.attribution_url,
    };
  }),
  v.description("a table with tiles and attribution"),
);

export function isSender(given: string): boolean {
  const named = /^(.+) <([^<>]+)>$/.exec(given);
  return named ? isLabel(named[1] ?? "") && isMailAddress(named[2] ?? "") : isMailAddress(given);
}

/** With or without a leading dot: "dn42", ".example.dn42". */
export function parseMailDomain(given: string): string | null {
  const domain = given.toLowerCase().replace(/^\./, "");
  return domain.length <= 253 && domainLabels.test(domain) ? domain : null;
}

/** In upper case, as the registry names the object's file. */
export function parseMaintainer(given: string): string | null {
  const name = given.toUpperCase();
  return /^[A-Z0-9][A-Z0-9_-]{0,79}$/.test(name) ? name : null;
}

/** In the form of `URL.host`, which omits port 443. */
export function parsePushHost(given: string): string | null {
  const host = given.toLowerCase().replace(/:443$/, "");
  const plain = /^[a-z0-9.:[\]-]+$/.test(host);
  return plain && URL.parse(`https://${host}`)?.host === host ? host : null;
}

/** In PEM. A private key, of which Node.js would take the public one, is none. */
export function isP521PublicKey(given: string): boolean {
  if (!/^\s*-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----\s*$/.test(given)) return false;
  try {
    return createPublicKey(given).asymmetricKeyDetails?.namedCurve === "secp521r1";
  } catch {
    return false;
  }
}
