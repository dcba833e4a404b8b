import type { Arrival } from "#server/features/health/arrival-route.ts";
import { isSecure, listPublicUrls } from "#domain/public-urls.ts";
import { finding, type Finding } from "../sentences/sentences.ts";
import { requestArrival } from "../arrival-request.ts";
import type { Check } from "../doctor-context.ts";

/** What a client that forges its address sends: an address for documents (RFC 5737), which no client has. */
const forgedAddress = "192.0.2.99";

export const checkPublicUrl: Check = {
  name: "the public URL",
  run: async ({ profile, readDatabaseIdentity, findServer }) => {
    if (!profile) return [];
    const identity = await readDatabaseIdentity();
    const known = identity === null || (await findServer()).kind === "none" ? null : identity;
    return (await Promise.all(listPublicUrls(profile).map((url) => checkUrl(url, known)))).flat();
  },
};

/** @param identity of the database; null if no server runs */
async function checkUrl(url: string, identity: string | null): Promise<readonly Finding[]> {
  const plain = isSecure(url) ? [] : [finding("public-plain", { url })];
  if (identity === null) return [...plain, finding("public-not-checked", { url })];
  try {
    const { arrival, status, isStreamed } = await requestArrival(url, identity, {
      headers: { "x-forwarded-for": forgedAddress },
      isTimed: true,
    });
    if (arrival === null) return [...plain, finding("public-other", { url, status })];
    return [
      ...plain,
      arrival.publicUrl === url
        ? finding("public-ok", { url })
        : finding("public-host-changed", { url, counted: arrival.publicUrl }),
      describeProxy(arrival, url),
      isStreamed ? finding("stream-ok") : finding("stream-buffered", { url }),
    ];
  } catch (error) {
    return [...plain, describeFailure(url, error as Error)];
  }
}

function describeProxy({ peer, isTrusted, forwardedFor }: Arrival, url: string): Finding {
  if (forwardedFor === null) return finding("proxy-drops", { peer });
  const isUnchanged = forwardedFor.trim() === forgedAddress;
  // The server itself speaks no TLS.
  if (isUnchanged && !isTrusted && url.startsWith("http:")) return finding("proxy-none", { peer });
  if (isUnchanged) return finding("proxy-keeps", { peer });
  return isTrusted ? finding("proxy-ok", { peer }) : finding("proxy-untrusted", { peer });
}

const certificateErrors = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

function describeFailure(url: string, error: Error): Finding {
  const { code = "", message } = (error.cause ?? error) as NodeJS.ErrnoException;
  if (error.name === "TimeoutError" || code === "ETIMEDOUT" || code === "UND_ERR_CONNECT_TIMEOUT")
    return finding("public-timeout", { url });
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return finding("public-host", { url });
  if (code === "ECONNREFUSED") return finding("public-refused", { url });
  if (certificateErrors.test(code)) return finding("public-certificate", { url, reason: code });
  return finding("public-failed", { url, reason: code || message });
}
