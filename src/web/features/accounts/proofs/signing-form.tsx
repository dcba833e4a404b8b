import { chakra } from "@chakra-ui/react/styled-system";
import { useState } from "react";
import type { ProofKey, ProofRequest } from "#contract/call-tables/accounts/proof-calls.ts";
import { renderExportCommand, renderSignCommand } from "#domain/proofs/commands.ts";
import { serverNow } from "#web/api/server-clock.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { FocusOnMount } from "#web/ui/layout/focus-on-mount.tsx";
import { useNow } from "#web/ui/text/clock.ts";
import { CodeBlock } from "#web/ui/text/code-block.tsx";
import { CopyText } from "#web/ui/text/copy-text.tsx";
import { classifyEmailLinkError } from "../email-link-error.ts";
import { Form } from "../form.tsx";
import { PasteBox } from "./paste-box.tsx";
import { type Proof, useProof } from "./use-proof.ts";

/** Gets another text to sign. */
export interface Renewal {
  /** Resolves with whether there is another text. */
  readonly renew: () => Promise<boolean>;
  readonly isPending: boolean;
  readonly error: Error | null;
}

export interface SigningFormProps {
  readonly request: ProofRequest;
  readonly signer: ProofKey;
  readonly renewal: Renewal;
}

/** How to sign with a key, and the boxes for what the commands print. What was pasted stays when another key is chosen. */
export function SigningForm({ request: { challenge, namespace }, signer, renewal }: SigningFormProps) {
  const proof = useProof();
  const [isRenewed, setIsRenewed] = useState(false);
  const renew = async () => {
    if (!(await renewal.renew())) return;
    setIsRenewed(true);
    proof.restart();
  };
  const { kind, fingerprint, needs_public_key: needsPublicKey } = signer;
  const command = renderSignCommand({ key: signer, text: challenge.text, namespace });
  const instructions = (
    <chakra.div display="grid" gap="2">
      <Step>2. Sign this text</Step>
      <chakra.div bg="bg.subtle" borderRadius="md" px="3" py="2">
        <CopyText value={challenge.text} label="text" />
        <Validity expires={challenge.expires} />
      </chakra.div>
      <p>Run this in a terminal, on Windows in PowerShell:</p>
      <CodeBlock title={kind === "ssh" ? "ssh-keygen -Y sign" : "gpg --clearsign"} text={command} short />
      <Hint>{hints[kind]}</Hint>
    </chakra.div>
  );
  return (
    <Form label="Proof by signature" onSubmit={() => proof.prove(challenge.id, needsPublicKey)}>
      {isRenewed ? <FocusOnMount key={challenge.id}>{instructions}</FocusOnMount> : instructions}
      <PasteBox label="Signature" name="signature" box={proof.signature} />
      {(needsPublicKey || proof.publicKey.value !== "" || proof.publicKey.error !== "") && (
        <>
          <chakra.div display="grid" gap="2">
            <Step>3. Export your public key</Step>
            <p>The registry has only its fingerprint, so run this too:</p>
            <CodeBlock title="gpg --export" text={renderExportCommand(fingerprint)} short />
          </chakra.div>
          <PasteBox label="Public key" name="public_key" box={proof.publicKey} />
        </>
      )}
      <Ending proof={proof} expires={challenge.expires} renewal={renewal} onRenew={() => void renew()} />
    </Form>
  );
}

const Step = chakra("h2", { base: { fontWeight: "semibold" } });
const Hint = chakra("p", { base: { color: "fg.muted", fontSize: "sm" } });

const hints = {
  ssh: (
    <>
      Change the path if your key is in another file. If it is only in an agent or on a hardware token, save
      its line of <Code>ssh-add -L</Code> as a .pub file and give the path of that file.
    </>
  ),
  pgp: (
    <>
      If gpg says "Inappropriate ioctl for device", run <Code>export GPG_TTY=$(tty)</Code> first.
    </>
  ),
};

function Code({ children }: { readonly children: string }) {
  return (
    <chakra.code htmlTranslate="no" fontFamily="mono" whiteSpace="nowrap">
      {children}
    </chakra.code>
  );
}

interface Expiring {
  /** Milliseconds since 1970 by the server's clock. */
  readonly expires: number;
}

const minuteMs = 60_000;

/** For how long a text is valid, in minutes, so that it does not hurry the reader. */
function Validity({ expires }: Expiring) {
  return <Hint>{describeRemaining(useRemainingMs(expires))}</Hint>;
}

function describeRemaining(remainingMs: number): string {
  if (remainingMs <= 0) return "It has expired.";
  // The estimate of the server's time is up to a second late.
  const minutes = Math.ceil((remainingMs - 1_000) / minuteMs);
  return minutes <= 1 ? "It is valid for less than a minute." : `It is valid for ${minutes} minutes.`;
}

function useRemainingMs(expires: number): number {
  useNow();
  return expires - serverNow();
}

interface EndingProps extends Expiring {
  readonly proof: Proof;
  readonly renewal: Renewal;
  readonly onRenew: () => void;
}

/** The button that sends the proof; without a valid text, the one that gets another text. */
function Ending({ proof, expires, renewal, onRenew }: EndingProps) {
  const isExpired = useRemainingMs(expires) <= 0 && !proof.isPending;
  if (!isExpired && !proof.isTextSpent)
    return (
      <>
        {proof.error !== "" && <Notice tone="error">{proof.error}</Notice>}
        <Button
          tone="primary"
          type="submit"
          wide
          disabled={proof.signature.value === ""}
          isPending={proof.isPending}
        >
          Prove
        </Button>
      </>
    );
  return (
    <>
      {proof.isTextSpent ? (
        <FocusOnMount>
          <Notice tone="error">{proof.error}</Notice>
        </FocusOnMount>
      ) : (
        <Notice tone="warning">The text has expired. Get a new one and sign it.</Notice>
      )}
      {renewal.error !== null && (
        <Notice tone="error">{classifyEmailLinkError(renewal.error).message}</Notice>
      )}
      <Button wide onClick={onRenew} isPending={renewal.isPending}>
        Get a new text
      </Button>
    </>
  );
}
