/**
 * The commands with which a participant signs a challenge. Each is one line, the same for POSIX shells, fish and PowerShell: all
 * of them know `echo`, `$HOME` and single quotes. A line of PowerShell ends in "\r\n", which is signed with it.
 */
import type { ProofKey } from "#contract/call-tables/accounts/proof-calls.ts";

export interface SigningTask {
  readonly key: Pick<ProofKey, "kind" | "type" | "fingerprint">;
  /** The line to sign. */
  readonly text: string;
  /** The namespace of an SSH signature. */
  readonly namespace: string;
}

/** Renders the command that prints an armoured signature of the text. */
export function renderSignCommand({ key, text, namespace }: SigningTask): string {
  const program =
    key.kind === "ssh"
      ? `ssh-keygen -Y sign -n ${quote(namespace)} -f "$HOME/.ssh/${usualFile(key.type)}"`
      : `gpg --local-user ${quote(key.fingerprint)} --clearsign`;
  return `echo '${removeSpecial(text)}' | ${program}`;
}

/** Renders the command that prints a PGP public key without the certifications of others. */
export function renderExportCommand(fingerprint: string): string {
  return `gpg --armor --export-options export-minimal --export ${quote(fingerprint)}`;
}

const usualFiles = [
  [/^sk-ssh-ed25519/, "id_ed25519_sk"],
  [/^sk-ecdsa/, "id_ecdsa_sk"],
  [/^ecdsa/, "id_ecdsa"],
  [/^ssh-rsa/, "id_rsa"],
] as const;

/** Returns the name that ssh-keygen gives a key of this type. */
function usualFile(type: string): string {
  return usualFiles.find(([pattern]) => pattern.test(type))?.[1] ?? "id_ed25519";
}

function quote(word: string): string {
  return /^[\w.:@+/-]+$/.test(word) ? word : `'${removeSpecial(word)}'`;
}

/**
 * Removes what would end the quotes in one of the shells, or what `echo` changes. No challenge, namespace or fingerprint of a server
 * has such a character.
 */
function removeSpecial(text: string): string {
  return text.replaceAll(/[^ -~]|['\\]/g, "");
}
