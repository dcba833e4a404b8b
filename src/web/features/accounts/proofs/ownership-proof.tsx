import { chakra } from "@chakra-ui/react/styled-system";
import { useState } from "react";
import { isAsn } from "#domain/asn.ts";
import type { ProofPurpose } from "#domain/proofs/challenge.ts";
import { useProvider } from "#web/api/provider.ts";
import { Button } from "#web/ui/forms/button.tsx";
import { KioubitButton } from "../kioubit/kioubit-button.tsx";
import { KeyProof } from "./key-proof.tsx";

export interface OwnershipProofProps {
  /** As typed: it may be empty or no AS number. */
  readonly asn: string;
  readonly purpose: ProofPurpose;
  /** Whether no mail can be sent to this AS, so that this was opened without being asked for. */
  readonly isNeeded: boolean;
}

/** The other ways for the AS that the participant has typed. The registry is asked when they are opened, not with each digit. */
export function OwnershipProof({ asn, purpose, isNeeded }: OwnershipProofProps) {
  const { ways_in: waysIn } = useProvider();
  const [chosenAsn, setChosenAsn] = useState(isAsn(asn) ? asn : "");
  if (isNeeded && chosenAsn !== asn) setChosenAsn(asn);
  const hasKeys = waysIn.includes("ssh") || waysIn.includes("pgp");
  return (
    <chakra.div pt="3" display="grid" gap="5">
      {!isAsn(asn) && <chakra.p color="fg.muted">Enter your AS number above first.</chakra.p>}
      {waysIn.includes("kioubit") && isAsn(asn) && <KioubitButton purpose={purpose} asn={asn} />}
      {hasKeys && isAsn(asn) && asn !== chosenAsn && (
        <Button onClick={() => setChosenAsn(asn)}>Show the keys of AS{asn}</Button>
      )}
      {/* Kept while another AS number is typed, in case of a slip. */}
      {hasKeys && chosenAsn !== "" && (
        <chakra.div hidden={asn !== chosenAsn}>
          <KeyProof key={chosenAsn} asn={chosenAsn} purpose={purpose} takesFocus={isNeeded} />
        </chakra.div>
      )}
    </chakra.div>
  );
}
