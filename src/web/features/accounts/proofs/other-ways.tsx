import { chakra } from "@chakra-ui/react/styled-system";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { isAsn } from "#domain/asn.ts";
import { useProvider } from "#web/api/provider.ts";
import { Loader } from "#web/ui/feedback/loading.tsx";
import type { OwnershipProofProps } from "./ownership-proof.tsx";

/** Loaded on demand: most participants use the mailed link. */
const OwnershipProof = lazy(async () => ({
  default: (await import("./ownership-proof.tsx")).OwnershipProof,
}));

export interface OtherWaysProps extends Pick<OwnershipProofProps, "asn" | "purpose"> {
  /** Whether the server refused the AS number. If it is one, no mail can be sent, and the other ways open by themselves. */
  readonly isRefused: boolean;
}

/** The ways to prove that an AS is the visitor's without a mail, behind a line that opens them. */
export function OtherWays({ asn, purpose, isRefused }: OtherWaysProps) {
  const { ways_in: waysIn, asn: providerAsn } = useProvider();
  const isNeeded = isRefused && isAsn(asn) && asn !== providerAsn;
  const details = useRef<HTMLDetailsElement>(null);
  const [wasOpened, setWasOpened] = useState(false);
  useEffect(() => {
    if (isNeeded && details.current) details.current.open = true;
  }, [isNeeded]);
  if (!["ssh", "pgp", "kioubit"].some((way) => waysIn.includes(way))) return null;
  return (
    <chakra.details ref={details} onToggle={() => setWasOpened(true)}>
      <chakra.summary cursor="pointer" width="fit-content" color="fg.muted" fontSize="sm">
        Other ways to prove that {isAsn(asn) ? `AS${asn}` : "your AS"} is yours
      </chakra.summary>
      {wasOpened && (
        <Suspense fallback={<Loader label="Loading…" />}>
          <OwnershipProof asn={asn} purpose={purpose} isNeeded={isNeeded} />
        </Suspense>
      )}
    </chakra.details>
  );
}
