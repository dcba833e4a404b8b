import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import type { TypedField } from "#domain/peering/fields/field-lists.ts";
import { peeringFields } from "#domain/peering/fields/peering-fields.ts";
import { formatEndpoint } from "#domain/port.ts";
import { Button } from "#web/ui/forms/button.tsx";
import type { ResolvedRouter, ResolvedText } from "./resolve-pasted.ts";
import type { Paste, PasteReport } from "./use-paste.ts";

/** Below a field: what was taken from the text that was pasted into it. It is there before its text, so that screen readers announce it. */
export function PasteReportBox({ field, paste }: { readonly field: TypedField; readonly paste: Paste }) {
  const report = paste.report?.field === field ? paste.report : null;
  const isQuestion = report !== null && report.router === undefined && report.text.routers.length > 0;
  return (
    <chakra.div
      aria-live="polite"
      {...(report && {
        display: "grid",
        gap: "2",
        mt: "2",
        px: "3",
        py: "2",
        fontSize: "sm",
        bg: "bg.subtle",
        borderInlineStartWidth: "3px",
        borderColor: isTaken(report) ? "accent" : "issues",
        borderRadius: "sm",
      })}
    >
      {report &&
        (isQuestion ? <Question report={report} paste={paste} /> : <Result report={report} paste={paste} />)}
    </chakra.div>
  );
}

interface PartProps {
  readonly report: PasteReport;
  readonly paste: Paste;
}

const isTaken = ({ taken }: PasteReport) => Object.keys(taken).length > 0;

function Result({ report, paste }: PartProps) {
  return (
    <chakra.div display="flex" flexWrap="wrap" alignItems="start" justifyContent="space-between" gap="2">
      <chakra.p flex="1 1 14rem" minWidth="0" overflowWrap="anywhere">
        <Taken report={report} />
        {notes(report).join(" ")}
      </chakra.p>
      {isTaken(report) ? (
        <Button size="sm" onClick={paste.undo}>
          Undo
        </Button>
      ) : (
        <Button size="sm" tone="quiet" onClick={paste.dismiss}>
          Dismiss
        </Button>
      )}
    </chakra.div>
  );
}

const origins: Readonly<Record<ResolvedRouter["source"], string>> = {
  own: "Taken from your configuration: ",
  peer: "Taken from the configuration: ",
  fragment: "Taken: ",
};

/** "Taken from your configuration: port 51820, public key. " */
function Taken({ report: { taken, router } }: { readonly report: PasteReport }): ReactNode {
  const entries = Object.entries(taken);
  if (entries.length === 0 || router === undefined) return null;
  return (
    <>
      {origins[router.source]}
      {entries.map(([name, value], index) => (
        <span key={name}>
          {index > 0 && ", "}
          {nameOf(name)}
          {/* A key is as long as the sentence, and its field shows it. */}
          {name !== "public_key" && (
            <>
              {" "}
              <chakra.span fontFamily="mono" translate="no">
                {value}
              </chakra.span>
            </>
          )}
        </span>
      ))}
      .{" "}
    </>
  );
}

function nameOf(field: string): string {
  return peeringFields[field as TypedField].name;
}

function notes({ text, router, unused, taken }: PasteReport): readonly string[] {
  const isUsed = Object.keys(taken).length > 0;
  return [
    droppedText(text),
    router?.lacksKey
      ? "This browser cannot compute your public key: enter the one that 'wg pubkey' prints."
      : "",
    text.hasNode
      ? isUsed
        ? "Its peer is our node and was not taken."
        : "This is our node. Enter the values of your own router."
      : "",
    router?.convertedName ? `${router.convertedName} was converted to its ASCII form.` : "",
    unused.length > 0 ? `Not taken, because this peering has none: ${unused.map(nameOf).join(", ")}.` : "",
    ...(router?.refused ?? []).map(({ field, message }) => `${peeringFields[field].label}: ${message}`),
  ].filter((note) => note !== "");
}

function droppedText({ hasPrivateKey, hasPresharedKey }: ResolvedText): string {
  if (hasPrivateKey && hasPresharedKey) return "Your private key and the pre-shared key were not stored.";
  if (hasPrivateKey) return "Your private key was not stored.";
  return hasPresharedKey ? "The pre-shared key was not stored." : "";
}

function Question({ report: { text }, paste }: PartProps) {
  const count = text.routers.length;
  const question =
    text.routers[0]?.source === "own"
      ? `This configuration has ${count} tunnels. Which one is for this peering?`
      : `This configuration has ${count} peers. Which one is your router?`;
  return (
    <>
      <p>{question}</p>
      <chakra.div display="flex" flexWrap="wrap" gap="2" maxHeight="12rem" overflowY="auto" p="1" m="-1">
        {text.routers.map((router) => (
          <Button
            key={JSON.stringify([router.name, router.values])}
            size="sm"
            onClick={() => paste.choose(router)}
          >
            <chakra.span fontFamily="mono" translate="no">
              {describeRouter(router)}
            </chakra.span>
          </Button>
        ))}
        <Button size="sm" tone="quiet" onClick={paste.dismiss}>
          None of them
        </Button>
      </chakra.div>
    </>
  );
}

/** Enough of a key to tell it from others. */
const shownKeyLength = 8;

function describeRouter({ source, name, values }: ResolvedRouter): string {
  const { remote_ip = "", remote_port = "", public_key = "" } = values;
  const key = public_key === "" ? "" : `${public_key.slice(0, shownKeyLength)}…`;
  const endpoint = remote_ip === "" ? "" : formatEndpoint(remote_ip, remote_port || "?");
  const [own, port] = source === "own" ? [name, remote_port] : [endpoint, ""];
  return [own, port, key].filter((part) => part !== "").join(" · ");
}
