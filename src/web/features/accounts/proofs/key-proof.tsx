import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProofKey } from "#contract/call-tables/accounts/proof-calls.ts";
import type { ProofPurpose } from "#domain/proofs/challenge.ts";
import { useProvider } from "#web/api/provider.ts";
import { Loader } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { FocusOnMount } from "#web/ui/layout/focus-on-mount.tsx";
import { classifyEmailLinkError } from "../email-link-error.ts";
import { KeyList, UnusableLines } from "./key-list.tsx";
import { NoKey } from "./no-key.tsx";
import { proofQuery } from "./proof-query.ts";
import { SigningForm } from "./signing-form.tsx";

export interface KeyProofProps {
  readonly asn: string;
  readonly purpose: ProofPurpose;
  /** Whether the text gets the focus when it is loaded. */
  readonly takesFocus: boolean;
}

/** The proof of an AS by a signature with a key that the registry has for it. */
export function KeyProof({ asn, purpose, takesFocus }: KeyProofProps) {
  const { ways_in: waysIn } = useProvider();
  const query = useQuery(proofQuery(asn, purpose));
  const { data, error, isFetching } = query;
  const renew = async () => (await query.refetch()).isSuccess;
  const [chosen, setChosen] = useState<string | null>(null);

  if (!data)
    return error === null || isFetching ? (
      <Loader label={`Looking up the keys of AS${asn}…`} />
    ) : (
      <Notice tone="error" onRetry={() => void renew()}>
        {classifyEmailLinkError(error).message}
      </Notice>
    );

  const isOffered = ({ kind }: ProofKey) => waysIn.includes(kind);
  const keys = data.keys.filter(isOffered);
  const unusable = [...data.unusable, ...data.keys.filter((key) => !isOffered(key)).map(toUnusable)];
  const [first] = keys;
  const key =
    keys.find(({ fingerprint }) => fingerprint === chosen) ?? (keys.length === 1 ? first : undefined);
  const intro = first
    ? `Sign a text with a key that the registry lists for AS${asn}, then set your password here. This needs no mail.`
    : `The registry lists no key for AS${asn} that can prove that it is yours.`;
  return (
    <chakra.div display="grid" gap="5">
      {takesFocus ? <FocusOnMount>{intro}</FocusOnMount> : <p>{intro}</p>}
      {first ? (
        <KeyList keys={keys} chosen={key?.fingerprint ?? ""} onChoose={setChosen} />
      ) : (
        <NoKey kind={waysIn.includes("ssh") ? "ssh" : "pgp"} />
      )}
      <UnusableLines lines={unusable} isOpen={!first} />
      {key && <SigningForm request={data} signer={key} renewal={{ renew, isPending: isFetching, error }} />}
      {!first && (
        <>
          {error !== null && <Notice tone="error">{classifyEmailLinkError(error).message}</Notice>}
          <Button onClick={() => void renew()} isPending={isFetching}>
            Look again
          </Button>
        </>
      )}
    </chakra.div>
  );
}

/** A key of a kind that this server cannot verify. */
function toUnusable({ maintainer, type, fingerprint, kind }: ProofKey) {
  const reason = `This site does not accept ${kind.toUpperCase()} signatures at present.`;
  return { maintainer, line: `${type} ${fingerprint}`, reason };
}
