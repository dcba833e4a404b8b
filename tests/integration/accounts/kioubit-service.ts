/** Kioubit's authentication service, as its public verifiers describe it, with a key of its own. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { KioubitProfile } from "#server/config/profile.ts";

export interface ResponseParams {
  readonly asn: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly domain: string;
  readonly user_token: string;
  readonly mnt: readonly string[];
  readonly effective_mnt: string;
  readonly authtype: string;
}

export interface KioubitService {
  readonly profile: KioubitProfile;
  readonly privateKey: KeyObject;
}

export function createKioubitService(url = "https://kioubit.example.net/auth/"): KioubitService {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-521" });
  return {
    profile: { url, publicKey: publicKey.export({ type: "spki", format: "pem" }) },
    privateKey,
  };
}

/** What the service signs when a maintainer of an AS has logged in to it. */
export function confirm(asn: string, startUrl: string, now: number): ResponseParams {
  const { searchParams } = new URL(startUrl);
  return {
    asn,
    time: Math.floor(now / 1000),
    domain: new URL(searchParams.get("return") ?? "").host,
    user_token: searchParams.get("token") ?? "",
    mnt: ["ADA-MNT"],
    effective_mnt: "ADA-MNT",
    authtype: "ssh-server-auth",
  };
}

/** The query with which the service sends the browser back. */
export function respond(
  { privateKey }: Pick<KioubitService, "privateKey">,
  params: unknown,
): URLSearchParams {
  return signText(privateKey, Buffer.from(JSON.stringify(params)).toString("base64"));
}

export function signText(key: KeyObject, params: string, signed = params): URLSearchParams {
  return new URLSearchParams({
    params,
    signature: sign("sha512", Buffer.from(signed), key).toString("base64"),
  });
}
