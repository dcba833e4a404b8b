import { chakra } from "@chakra-ui/react/styled-system";
import { useRef } from "react";
import type { Failure } from "../../../contract/failure.ts";
import {
  characters,
  type ContactMessage,
  longestMessage,
  longestName,
} from "../../../domain/contact-message.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type ContactField, isAboutField, tooLong } from "./contact-failure.ts";

export interface ContactFormProps {
  readonly typed: ContactMessage;
  readonly onType: (changed: Partial<ContactMessage>) => void;
  /** Settles when the message was sent or was not. */
  readonly onSubmit: () => Promise<unknown>;
  readonly pending: boolean;
  /** Why it was not sent, each with its field where there is one. */
  readonly failures: readonly Failure[];
}

export function ContactForm({ typed, onType, onSubmit, pending, failures }: ContactFormProps) {
  const submitOnce = useOneAtATime(onSubmit);
  const field = (name: ContactField, hint: string) => {
    const error = failures.find((failure) => failure.field === name)?.message ?? tooLong(typed, name);
    return {
      name,
      value: typed[name],
      onChange: (value: string) => onType({ [name]: value }),
      error,
      // What is wrong says what is expected; only the count has more to tell.
      ...((error === "" || name === "message") && { hint }),
      required: true,
    };
  };
  return (
    <chakra.form
      noValidate
      display="grid"
      gap="5"
      onSubmit={(event) => {
        event.preventDefault();
        submitOnce();
      }}
    >
      <Field
        label="Your name"
        autoComplete="name"
        {...field("name", `Up to ${longestName} characters, without < > " and \\.`)}
      />
      <Field
        label="Your email address"
        type="email"
        inputMode="email"
        autoComplete="email"
        {...field("email", "One plain address, such as you@example.org.")}
      />
      <Field
        label="Your message"
        multiline
        {...field("message", `${count(characters(typed.message))} of ${count(longestMessage)} characters.`)}
      />
      {failures.length > 0 && (
        <Notice tone="error">
          <p>
            Failed to submit message. Please double-check your data to ensure the email address format is
            valid and that there are no special characters in the name.
          </p>
          {failures
            .filter((failure) => !isAboutField(failure))
            .map(({ message }) => (
              <chakra.p key={message} mt="1.5">
                {message}
              </chakra.p>
            ))}
        </Notice>
      )}
      <chakra.div>
        <Button tone="primary" type="submit" pending={pending}>
          Submit
        </Button>
      </chakra.div>
    </chakra.form>
  );
}

/** The button is disabled a moment after the first click; what comes before that moment must not count. */
function useOneAtATime(act: () => Promise<unknown>): () => void {
  const busy = useRef(false);
  return () => {
    if (busy.current) return;
    busy.current = true;
    const free = () => {
      busy.current = false;
    };
    act().then(free, free);
  };
}

function count(characterCount: number): string {
  return characterCount.toLocaleString("en");
}
