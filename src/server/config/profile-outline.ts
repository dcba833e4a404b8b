/** The keys of a profile that rules compare. A key with an invalid value is absent, so that one mistake hides no other. */
import * as v from "valibot";
import { isSmtpUrl } from "./mail-url.ts";
import { mailTls } from "./profile-schema.ts";
import { nodeValues } from "./node-values.ts";
import { publicUrl } from "./profile-values.ts";

/** An absent key is undefined, and so is one with an invalid value. */
function lenient<S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

const present = v.optional(v.unknown());

const node = v.object({
  name: lenient(v.string()),
  tunnel_ipv4: lenient(v.string()),
  public_ip: lenient(nodeValues.endpoint),
  endpoints: v.fallback(v.optional(v.array(lenient(nodeValues.endpoint)), []), []),
  agent: present,
});

const outline = v.object({
  public_url: present,
  public_urls: v.optional(v.fallback(v.array(lenient(publicUrl)), [])),
  hsts_include_subdomains: lenient(v.boolean()),
  registry: lenient(v.object({ path: present, url: present })),
  // An invalid table is not a missing one.
  mail: v.optional(
    v.fallback(
      v.object({
        url: lenient(v.pipe(v.string(), v.check(isSmtpUrl))),
        tls: lenient(mailTls),
        ca: lenient(v.pipe(v.string(), v.nonEmpty())),
      }),
      {},
    ),
  ),
  nodes: v.fallback(v.optional(v.array(v.fallback(node, { endpoints: [] })), []), []),
});

export type ProfileOutline = v.InferOutput<typeof outline>;

export function readOutline(toml: unknown): ProfileOutline {
  return v.parse(outline, toml);
}
