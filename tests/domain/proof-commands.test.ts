/** The commands that participants copy, as a POSIX shell runs them. */
import { execFileSync } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { renderChallenge } from "#domain/proofs/challenge.ts";
import { renderExportCommand, renderSignCommand } from "#domain/proofs/commands.ts";
import { createScratchFolder } from "../support/scratch-folder.ts";

const fingerprint = "0123456789ABCDEF0123456789ABCDEF01234567";
const namespace = "peerdeck@example.net";
const challenge = renderChallenge({
  domain: "example.net",
  asn: "4242420001",
  purpose: "reset",
  nonce: "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
  expiresAt: Date.UTC(2026, 2, 14, 9, 30),
});

let folder: string;
const removals: (() => Promise<void>)[] = [];
beforeAll(async () => {
  folder = await createScratchFolder((remove) => void removals.push(remove));
  for (const name of ["ssh-keygen", "gpg"]) {
    const program = join(folder, name);
    await writeFile(program, '#!/bin/sh\necho "$0"\nprintf "<%s>\\n" "$@"\n[ "$1" = --armor ] || cat\n');
    await chmod(program, 0o755);
  }
});
afterAll(() => Promise.all(removals.map((remove) => remove())));

/** Returns the program that the shell starts, its arguments, and its input. */
function run(command: string): { readonly words: readonly string[]; readonly input: string } {
  const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: "/home/a da" };
  const output = execFileSync("/bin/sh", ["-c", command], { env, encoding: "utf8" });
  const words = output.split("\n").filter((line) => line.startsWith(folder) || /^<.*>$/.test(line));
  const heading = words.map((word) => `${word}\n`).join("");
  expect(output.startsWith(heading)).toBe(true);
  return {
    words: words.map((word) => word.replace(`${folder}/`, "").replace(/^<(.*)>$/, "$1")),
    input: output.slice(heading.length),
  };
}

it.each([
  ["ssh-ed25519", "id_ed25519"],
  ["ssh-rsa", "id_rsa"],
  ["ecdsa-sha2-nistp256", "id_ecdsa"],
  ["sk-ssh-ed25519@openssh.com", "id_ed25519_sk"],
  ["sk-ecdsa-sha2-nistp256@openssh.com", "id_ecdsa_sk"],
])("a key of type %s signs the text, in its namespace, with the file %s", (type, file) => {
  const key = {
    kind: "ssh",
    type,
    fingerprint: "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
  } as const;
  expect(run(renderSignCommand({ key, text: challenge, namespace }))).toEqual({
    words: ["ssh-keygen", "-Y", "sign", "-n", namespace, "-f", `/home/a da/.ssh/${file}`],
    input: `${challenge}\n`,
  });
});

it("a PGP key signs the text, and is exported without the certifications of others", () => {
  const key = { kind: "pgp", type: "pgp-fingerprint", fingerprint } as const;
  expect(run(renderSignCommand({ key, text: challenge, namespace }))).toEqual({
    words: ["gpg", "--local-user", fingerprint, "--clearsign"],
    input: `${challenge}\n`,
  });
  expect(run(renderExportCommand(fingerprint)).words).toEqual([
    "gpg",
    "--armor",
    "--export-options",
    "export-minimal",
    "--export",
    fingerprint,
  ]);
});

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "'; echo ran; '",
    "$(echo ran)",
    "`echo ran`",
    "\u2019; echo ran; \u2019",
    "a\nb",
    "\\c",
    "",
  ),
);

it("no text of a server ends its quotes, in POSIX shells or in PowerShell", () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (text, name, id) => {
      const key = { kind: "pgp", type: "pgp-fingerprint", fingerprint: id } as const;
      const ssh = renderSignCommand({ key: { ...key, kind: "ssh" }, text: `x${text}`, namespace: name });
      const pgp = renderSignCommand({ key, text: `x${text}`, namespace });
      expect(`${ssh}${pgp}`).toMatch(/^[ -~]*$/);
      expect(run(ssh).words).toHaveLength(7);
      expect(run(pgp).words).toHaveLength(4);
      expect(run(pgp).input).toMatch(/^x[^\n]*\n$/);
    }),
    { numRuns: 40 },
  );
});
