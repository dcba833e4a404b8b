/** The files and folders that the provider profile names. Relative paths start at the profile's folder. */
import { X509Certificate } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { ConfigProblem } from "../../system/config/config-problems.ts";

export function resolveFrom(profilePath: string, path: string): string {
  return resolve(dirname(profilePath), path);
}

/** Returns the problem of a `registry.path` that names no registry, or null. */
export async function findRegistryProblem(folder: string): Promise<ConfigProblem | null> {
  const found = await lstat(join(folder, "data")).then(
    (stats) => (stats.isDirectory() ? null : stats.isSymbolicLink() ? "a link" : "ENOTDIR"),
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (found === null) return null;
  const message =
    "registry.path must be a registry clone, a readable folder that contains data/, found " +
    `${JSON.stringify(folder)} (${found}). Clone the registry there, or set registry.url.`;
  return { path: ["registry", "path"], message };
}

/** Returns the certificates of `mail.ca` in PEM, or the problem of a file without them. */
export async function readAuthority(file: string): Promise<string | ConfigProblem> {
  const pem = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => error);
  if (typeof pem !== "string") return authorityProblem(file, pem.code ?? pem.message);
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0) return authorityProblem(file, "no certificate in it");
  if (!certificates.every(isCertificate)) return authorityProblem(file, "a damaged certificate in it");
  return certificates.join("\n");
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).serialNumber !== "";
  } catch {
    return false;
  }
}

function authorityProblem(file: string, found: string): ConfigProblem {
  const message =
    "mail.ca must be a readable PEM file with the certificate of the authority, or of the mail server itself, found " +
    `${JSON.stringify(file)} (${found}). Copy the certificate there, or remove ca.`;
  return { path: ["mail", "ca"], message };
}
