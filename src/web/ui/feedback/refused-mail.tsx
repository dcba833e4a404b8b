import { formatDateTime } from "../text/format-time.ts";
import { Notice } from "./notice.tsx";

export interface RefusedMailProps {
  /** The masked addresses that refused the last mail, with the time in milliseconds since 1970. */
  readonly refused: ReadonlyArray<{ readonly address: string; readonly at: number }> | undefined;
}

/** Says which addresses refuse our mail, and what to do. Renders nothing if none does. */
export function RefusedMail({ refused }: RefusedMailProps) {
  if (refused === undefined || refused.length === 0) return null;
  return (
    <Notice tone="warning">
      {refused.map(({ address, at }) => (
        <p key={address}>
          The mail server of {address} refused our last mail on {formatDateTime(at)}.
        </p>
      ))}
      <p>If mail does not arrive, correct the contact in the registry, or contact support.</p>
    </Notice>
  );
}
