/** Certificates of mail servers, as operators have them. */
import { generate } from "selfsigned";

export interface Certificate {
  readonly certificate: string;
  readonly privateKey: string;
}

interface CertificateOptions {
  /** The IP address that it is valid for. */
  readonly ip?: string;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** The authority that signs it; by default it is self-signed. */
  readonly authority?: Certificate;
}

/** Creates the certificate of a mail server on this machine. */
export async function createCertificate({
  ip = "127.0.0.1",
  notBefore = new Date("2020-01-01"),
  notAfter = new Date("2099-01-01"),
  authority,
}: CertificateOptions = {}): Promise<Certificate> {
  const created = await generate([{ name: "commonName", value: "mail.example.net" }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: notBefore,
    notAfterDate: notAfter,
    extensions: [
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "mail.example.net" },
          { type: 7, ip },
        ],
      },
    ],
    ...(authority && { ca: { key: authority.privateKey, cert: authority.certificate } }),
  });
  return { certificate: created.cert, privateKey: created.private };
}

/** Creates an authority of a provider's own. */
export async function createAuthority(): Promise<Certificate> {
  const created = await generate([{ name: "commonName", value: "Example Authority" }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date("2020-01-01"),
    notAfterDate: new Date("2099-01-01"),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  return { certificate: created.cert, privateKey: created.private };
}
