import { chakra } from "@chakra-ui/react/styled-system";
import type { ProofKey } from "#contract/call-tables/accounts/proof-calls.ts";
import { PlainOutput } from "#web/ui/text/code-block.tsx";

const examples: Readonly<Record<ProofKey["kind"], readonly [line: string, source: string]>> = {
  ssh: [
    "auth:               ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI…",
    "The key is what your .pub file contains. If you have none, create one with ssh-keygen -t ed25519.",
  ],
  pgp: [
    "auth:               pgp-fingerprint 0123456789ABCDEF…",
    'The fingerprint has 40 digits, as "gpg --fingerprint" prints it, without blanks.',
  ],
};

/** How to get a key into the registry. */
export function NoKey({ kind }: Pick<ProofKey, "kind">) {
  const [line, source] = examples[kind];
  return (
    <chakra.div display="grid" gap="3">
      <p>Add your public key to the mntner object of your AS in the registry:</p>
      <chakra.div borderWidth="1px" borderRadius="md" bg="bg.subtle">
        <PlainOutput aria-label="Example of a line" short>
          {line}
        </PlainOutput>
      </chakra.div>
      <chakra.p color="fg.muted" fontSize="sm">
        {source} Wait until the change is merged, then look again.
      </chakra.p>
    </chakra.div>
  );
}
