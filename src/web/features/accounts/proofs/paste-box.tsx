import { chakra } from "@chakra-ui/react/styled-system";
import { type DragEvent, useState } from "react";
import { Field } from "#web/ui/forms/field.tsx";
import type { PastedBox } from "./use-proof.ts";

export interface PasteBoxProps {
  readonly label: string;
  readonly name: string;
  readonly box: PastedBox;
}

/** A box for what a command prints: it is pasted, dropped as a file, or read from a file. */
export function PasteBox({ label, name, box }: PasteBoxProps) {
  const [unreadable, setUnreadable] = useState("");
  const change = (text: string) => {
    setUnreadable("");
    box.change(text);
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    try {
      // Of a longer file, as much as is refused by its length.
      change(await file.slice(0, box.maxLength * bytesPerCharacter + 1).text());
    } catch {
      setUnreadable(`${file.name} could not be read. Paste its text instead.`);
    }
  };
  return (
    <chakra.div
      onDragOver={(event) => {
        if (hasFile(event)) event.preventDefault();
      }}
      onDropCapture={(event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        event.stopPropagation();
        void take(event.dataTransfer.files[0]);
      }}
    >
      <Field
        label={label}
        name={name}
        value={box.value}
        onChange={change}
        isWithheld={box.isWithheld}
        error={unreadable || box.error}
        multiline
        mono
        required
        hint={
          <>
            Paste everything that the command prints, drop a file here, or{" "}
            <FileChoice label={`choose a file with the ${label.toLowerCase()}`} onChoose={take} />.
          </>
        }
      />
    </chakra.div>
  );
}

/** At most, in UTF-8. */
const bytesPerCharacter = 3;

function hasFile({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes("Files");
}

interface FileChoiceProps {
  readonly label: string;
  readonly onChoose: (file: File | undefined) => Promise<void>;
}

function FileChoice({ label, onChoose }: FileChoiceProps) {
  return (
    <chakra.label
      color="accent"
      textDecoration="underline"
      textUnderlineOffset="0.2em"
      cursor="pointer"
      borderRadius="sm"
      css={{
        "&:has(:focus-visible)": { outline: "2px solid", outlineColor: "accent", outlineOffset: "2px" },
      }}
    >
      choose a file
      <chakra.input
        type="file"
        aria-label={label}
        srOnly
        onChange={({ target }) => {
          void onChoose(target.files?.[0]);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
    </chakra.label>
  );
}
