import { expect, test } from "vitest";
import {
  maxPublicKeyLength,
  maxSignatureLength,
  readPastedPublicKey,
  readPastedSignature,
} from "./pasted-signature.ts";

const ssh = "-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQ\nQ29udGVudA==\n-----END SSH SIGNATURE-----\n";
const pgp =
  "-----BEGIN PGP SIGNATURE-----\nVersion: GnuPG v2\nComment: a b\n\niQEzBAEBCgAdFiEE\nAAAA\n=abcd\n-----END PGP SIGNATURE-----\n";
const message = `-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA512

peerdeck example.net: register AS4242420001, until 2026-01-20T00:15:00Z, nonce 00ff
${pgp}`;
const publicKey =
  "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZAAAABYJ\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n";
const sshPublicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGFkYQ ada@router";
const pem = (label: string) => `-----BEGIN ${label}-----\nMIIEpAIBAAKCAQEA\n-----END ${label}-----\n`;

const samples = { ssh, pgp, "pgp-message": message } as const;

test.each(Object.entries(samples))("reads a signature of the kind %s", (kind, armour) => {
  expect(readPastedSignature(armour)).toEqual({ kind, armour });
});

const alterations: Readonly<Record<string, (armour: string) => string>> = {
  "Windows line ends": (text) => text.replaceAll("\n", "\r\n"),
  "old line ends": (text) => text.replaceAll("\n", "\r"),
  "a byte order mark": (text) => `\uFEFF${text}`,
  "text around it": (text) => `Hi, here it is:\n\`\`\`\n${text}\`\`\`\nCheers\n-- \nAda`,
  "text on its first and last line": (text) => `Ada: ${text.trimEnd()} (done)`,
  "marks of quotes": (text) => text.replaceAll(/^/gm, "> > ").replaceAll(/^> > $/gm, ">>"),
  indentation: (text) => text.replaceAll(/^/gm, "\t  "),
  "trailing blanks": (text) => text.replaceAll("\n", " \t\n"),
  "no-break spaces": (text) => text.replaceAll(" ", "\u00A0").replaceAll(/^/gm, "\u00A0\u00A0"),
  "invisible characters": (text) => text.replaceAll("\n", "\u200B\n\u2060"),
  "no line end": (text) => text.trimEnd(),
  "lost blank lines": (text) => text.replaceAll("\n\n", "\n"),
  "a public key beside it": (text) => `${sshPublicKey}\n${text}${publicKey}`,
  "an encrypted message beside it": (text) => pem("PGP MESSAGE") + text,
};

test.each(
  Object.entries(alterations).flatMap(([name, alter]) =>
    Object.entries(samples).map(([kind, armour]) => ({ name, kind, armour, alter })),
  ),
)("reads a signature of the kind $kind with $name", ({ kind, armour, alter }) => {
  expect(readPastedSignature(alter(armour))).toEqual({ kind, armour });
});

test("reads an SSH signature on one line, and a PGP signature with blank lines in between", () => {
  expect(readPastedSignature(ssh.replaceAll("\n", " "))).toEqual({ kind: "ssh", armour: ssh });
  expect(readPastedSignature(pgp.replaceAll(/(?<=[A-Za-z])\n(?=[A-Z=])/g, "\n\n"))).toMatchObject({
    kind: "pgp",
  });
  expect(readPastedSignature(pgp.replace("iQEz", "\n\niQEz").replace("AAAA\n", "AAAA\n\n"))).toEqual({
    kind: "pgp",
    armour: pgp,
  });
});

test("keeps the text of a signed message, with its blank lines", () => {
  const lines = message.replace("peerdeck", "\na\n\npeerdeck").replace("00ff\n", "00ff\n\n");

  expect(readPastedSignature(lines)).toEqual({ kind: "pgp-message", armour: lines });
});

test.each([
  ["OpenSSH", pem("OPENSSH PRIVATE KEY")],
  ["RSA", pem("RSA PRIVATE KEY")],
  ["EC", pem("EC PRIVATE KEY")],
  ["DSA", pem("DSA PRIVATE KEY")],
  ["PKCS #8", pem("PRIVATE KEY")],
  ["encrypted PKCS #8", pem("ENCRYPTED PRIVATE KEY")],
  ["PGP", pem("PGP PRIVATE KEY BLOCK")],
  [
    "ssh.com",
    "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56wAAA\n---- END SSH2 ENCRYPTED PRIVATE KEY ----",
  ],
  ["PuTTY", "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\nAAAA"],
  ["the end of a PuTTY", "AAAA\nPrivate-Lines: 1\nAAAA\nPrivate-MAC: 00"],
  ["the end of an", "AAAA\n-----END OPENSSH PRIVATE KEY-----"],
  ["the base64 of an", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ"],
  ["WireGuard", "PrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk="],
])("refuses %s private key before anything else", (_, key) => {
  for (const text of [
    key,
    `> ${key.replaceAll("\n", "\r\n> ")}`,
    ssh + key,
    key + message,
    key + " ".repeat(2_000_000),
  ]) {
    expect(readPastedSignature(text)).toEqual({ refusal: { code: "private-key" } });
    expect(readPastedPublicKey(publicKey + text)).toEqual({ refusal: { code: "private-key" } });
  }
});

test.each([
  ["", "no-signature"],
  [" \n\0", "no-signature"],
  ["peerdeck example.net: register", "no-signature"],
  [pem("CERTIFICATE"), "no-signature"],
  [sshPublicKey, "public-key-instead"],
  ["sk-ssh-ed25519@openssh.com AAAAGnNr ada", "public-key-instead"],
  ["auth: ecdsa-sha2-nistp256\u00A0AAAAE2VjZHNh", "public-key-instead"],
  [publicKey, "public-key-instead"],
  [pem("PUBLIC KEY"), "public-key-instead"],
  ["---- BEGIN SSH2 PUBLIC KEY ----\nAAAA", "public-key-instead"],
  [pem("PGP MESSAGE"), "encrypted-message"],
  [ssh.slice(1), "incomplete-signature"],
  [ssh.slice(0, -2), "incomplete-signature"],
  [ssh.split("\n").slice(1, 3).join("\n"), "incomplete-signature"],
  [ssh.replace("END SSH", "END PGP"), "incomplete-signature"],
  [pgp.replace("-----END", ""), "incomplete-signature"],
  [pgp.replace("-----BEGIN", ""), "incomplete-signature"],
  [message.replace(pgp, ""), "incomplete-signature"],
  [message.replace("-----BEGIN PGP SIGNATURE-----", ""), "incomplete-signature"],
])("refuses %j: %s", (text, code) => {
  expect(readPastedSignature(text)).toEqual({ refusal: { code } });
});

test.each([
  [ssh + ssh, 2],
  [ssh + pgp, 2],
  [pgp + message, 2],
  [message + message, 2],
  [`- ${message}${message}`, 2],
  [ssh + ssh.slice(0, 40), 2],
  [ssh.repeat(10), 10],
])("refuses several signatures", (text, count) => {
  expect(readPastedSignature(text)).toEqual({ refusal: { code: "several-signatures", count } });
});

test("refuses a text above the limit, and reads one up to it", () => {
  expect(readPastedSignature(ssh.padEnd(maxSignatureLength))).toEqual({ kind: "ssh", armour: ssh });
  expect(readPastedSignature(ssh.padEnd(maxSignatureLength + 1))).toEqual({
    refusal: { code: "too-long", maxKilobytes: 64 },
  });
  expect(readPastedPublicKey(publicKey.padEnd(maxPublicKeyLength))).toEqual({ armour: publicKey });
  expect(readPastedPublicKey(publicKey.padEnd(maxPublicKeyLength + 1))).toEqual({
    refusal: { code: "too-long", maxKilobytes: 96 },
  });
});

test.each(Object.entries(alterations).filter(([name]) => !name.includes("public key")))(
  "reads a public key with %s",
  (_, alter) => {
    expect(readPastedPublicKey(alter(publicKey))).toEqual({ armour: publicKey });
  },
);

test("reads several blocks with public keys, and nothing between them", () => {
  expect(readPastedPublicKey(`mine: ${publicKey} and\n${publicKey}`)).toEqual({
    armour: publicKey.repeat(2),
  });
});

test.each([
  "",
  sshPublicKey,
  ssh,
  publicKey.slice(1),
  publicKey.slice(0, -2),
  publicKey + publicKey.slice(0, -2),
  publicKey.replace("END", "BEGIN"),
  pem("PUBLIC KEY"),
])("refuses %j as a PGP public key", (text) => {
  expect(readPastedPublicKey(text)).toEqual({ refusal: { code: "unreadable-public-key" } });
});
