import { chakra } from "@chakra-ui/react/styled-system";
import { useId } from "react";
import type { ProofKey, UnusableAuth } from "#contract/call-tables/accounts/proof-calls.ts";
import { CopyText } from "#web/ui/text/copy-text.tsx";

export interface KeyListProps {
  readonly keys: readonly ProofKey[];
  /** A fingerprint; empty if none is chosen. */
  readonly chosen: string;
  readonly onChoose: (fingerprint: string) => void;
}

/** The keys of an AS, of which the participant chooses the one to sign with. */
export function KeyList({ keys, chosen, onChoose }: KeyListProps) {
  return (
    <chakra.fieldset minWidth="0">
      <StepLegend>1. Choose your key</StepLegend>
      <chakra.div display="grid" gap="2">
        {keys.map((key) => (
          <KeyRow
            key={`${key.maintainer} ${key.fingerprint}`}
            proofKey={key}
            isChosen={key.fingerprint === chosen}
            onChoose={() => onChoose(key.fingerprint)}
          />
        ))}
      </chakra.div>
    </chakra.fieldset>
  );
}

const StepLegend = chakra("legend", { base: { mb: "2", fontWeight: "semibold" } });

interface KeyRowProps {
  readonly proofKey: ProofKey;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function KeyRow({ proofKey, isChosen, onChoose }: KeyRowProps) {
  const { kind, type, maintainer, fingerprint } = proofKey;
  const id = useId();
  return (
    <chakra.div
      px="3"
      py="2"
      borderWidth="1px"
      borderRadius="md"
      borderColor={isChosen ? "accent" : "border.emphasized"}
      bg={isChosen ? "accent.subtle" : "bg.panel"}
    >
      <chakra.label display="flex" flexWrap="wrap" alignItems="center" columnGap="2.5" cursor="pointer">
        <chakra.input
          type="radio"
          name="proof-key"
          accentColor="accent"
          checked={isChosen}
          onChange={onChoose}
          aria-describedby={id}
        />
        <chakra.span fontWeight="medium">{kind === "ssh" ? "SSH key" : "PGP key"}</chakra.span>
        {type !== "pgp-fingerprint" && <Mono>{type}</Mono>}
        <Mono color="fg.muted" ms="auto">
          {maintainer}
        </Mono>
      </chakra.label>
      <chakra.div id={id} mt="0.5">
        <CopyText value={fingerprint} label="fingerprint" />
      </chakra.div>
    </chakra.div>
  );
}

const MonoText = chakra("span", { base: { fontFamily: "mono", fontSize: "sm", overflowWrap: "anywhere" } });

function Mono(props: React.ComponentProps<typeof MonoText>) {
  return <MonoText htmlTranslate="no" {...props} />;
}

export interface UnusableLinesProps {
  readonly lines: readonly UnusableAuth[];
  /** Shown at once, where there is nothing else. */
  readonly isOpen: boolean;
}

/** The `auth:` lines that prove nothing here, each with its reason. */
export function UnusableLines({ lines, isOpen }: UnusableLinesProps) {
  if (lines.length === 0) return null;
  return (
    <chakra.details open={isOpen} fontSize="sm">
      <chakra.summary cursor="pointer" width="fit-content" color="fg.muted">
        {lines.length === 1
          ? "1 line of the registry cannot be used"
          : `${lines.length} lines of the registry cannot be used`}
      </chakra.summary>
      <chakra.ul display="grid" gap="2" mt="2">
        {lines.map(({ maintainer, line, reason }) => (
          <li key={`${maintainer} ${line}`}>
            <chakra.div overflowWrap="anywhere">
              <Mono>{line}</Mono> <Mono color="fg.muted">{maintainer}</Mono>
            </chakra.div>
            {reason}
          </li>
        ))}
      </chakra.ul>
    </chakra.details>
  );
}
