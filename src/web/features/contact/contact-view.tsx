import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { calls } from "#contract/call-tables/app-calls.ts";
import { CallError } from "#contract/client.ts";
import type { ErrorBody } from "#contract/http-error.ts";
import {
  type ContactMessage,
  findMessageErrors,
  maxMessageLength,
  maxNameLength,
} from "#domain/contact-message.ts";
import { countCharacters } from "#domain/text/characters.ts";
import { findSecret } from "#domain/secrets/find-secret.ts";
import { withheldTexts } from "#domain/secrets/withheld-value.ts";
import { formatCount } from "#domain/text/plural.ts";
import { call, errorMessage } from "../../api/client.ts";
import { useProvider } from "../../api/provider.ts";
import { useIsServerReachable } from "../../browser/connectivity.ts";
import { useReloadGuard } from "../../browser/pwa.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { FocusOnMount } from "../../ui/layout/focus-on-mount.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { deleteContactDraft, readContactDraft, writeContactDraft } from "./contact-draft.ts";

/** For the route's loader, which loads this file first. */
export { loadContactDraft } from "./contact-draft.ts";

const emptyMessage: ContactMessage = { name: "", email: "", message: "" };

export interface ContactViewProps {
  readonly username: string;
  /** The deployment that the message is about. */
  readonly taskID: string | undefined;
}

export function ContactView({ username, taskID }: ContactViewProps) {
  const { name } = useProvider();
  const isServerReachable = useIsServerReachable();
  const queryClient = useQueryClient();
  const [message, setMessage] = useState(() =>
    prefill(readContactDraft(queryClient, username) ?? emptyMessage, taskID),
  );
  /** Errors found before sending; the server applies the same rules. */
  const [validationErrors, setValidationErrors] = useState<readonly ErrorBody[]>([]);
  const request = useMutation({
    mutationFn: () => call(calls.submitContactForm, { username, ...message }),
    onSuccess: () => deleteContactDraft(queryClient, username),
  });
  // A reload does not lose what the app has written itself.
  const isTyped =
    message.name !== "" || message.email !== "" || !["", taskMention(taskID)].includes(message.message);
  useReloadGuard("form", !request.isSuccess && isTyped);
  const change = (changed: Partial<ContactMessage>) => {
    const now = { ...message, ...changed };
    setMessage(now);
    writeContactDraft(queryClient, username, now);
    setValidationErrors((before) => before.filter(({ field = "" }) => !(field in changed)));
    if (request.isError) request.reset();
  };
  const submit = async () => {
    const found = [...findSecretErrors(message), ...findMessageErrors(message)];
    setValidationErrors(found);
    if (found.length === 0) await request.mutateAsync();
  };
  const writeAnother = () => {
    setMessage((before) => ({ ...before, message: "" }));
    request.reset();
  };
  return (
    <Page
      title="Contact"
      lead={`Your message goes to ${name} support by mail, with your AS number. We reply to the address that you enter here.`}
      narrow
    >
      {!isServerReachable && !request.isSuccess && (
        <Notice tone="warning">
          The server is unreachable, so messages cannot be sent now. Your draft is kept on this device.
        </Notice>
      )}
      {taskID !== undefined && !request.isSuccess && !message.message.includes(taskID) && (
        <Notice>Please mention the task ID {taskID} in your message.</Notice>
      )}
      {request.isSuccess ? (
        <Submitted onWriteAnother={writeAnother} />
      ) : (
        <Panel>
          <ContactForm
            message={message}
            onChange={change}
            onSubmit={submit}
            isPending={request.isPending}
            errors={request.error ? [toErrorBody(request.error)] : validationErrors}
          />
        </Panel>
      )}
    </Page>
  );
}

/** The first line of a message about a deployment. */
function taskMention(taskID: string | undefined): string {
  return taskID === undefined ? "" : `Task ID: ${taskID}\n\n`;
}

/** Names the task in a message that has no text yet. A draft stays as it is. */
function prefill(draft: ContactMessage, taskID: string | undefined): ContactMessage {
  return draft.message.trim() === "" ? { ...draft, message: taskMention(taskID) } : draft;
}

export interface SubmittedProps {
  readonly onWriteAnother: () => void;
}

export function Submitted({ onWriteAnother }: SubmittedProps) {
  return (
    <chakra.div display="grid" gap="4" justifyItems="start">
      <FocusOnMount>
        <Notice tone="success">
          Your message has been submitted. We will get back to you as soon as we can. Thank you
        </Notice>
      </FocusOnMount>
      <Button onClick={onWriteAnother}>Write another message</Button>
    </chakra.div>
  );
}

interface ContactFormProps {
  readonly message: ContactMessage;
  readonly onChange: (changed: Partial<ContactMessage>) => void;
  /** Resolves or rejects when the request ends. */
  readonly onSubmit: () => Promise<unknown>;
  readonly isPending: boolean;
  /** Why the message was not sent; each names its field, if it concerns one. */
  readonly errors: readonly ErrorBody[];
}

function ContactForm({ message, onChange, onSubmit, isPending, errors }: ContactFormProps) {
  const submitOnce = useSingleSubmit(onSubmit);
  const field = (name: ContactField, hint: string) => {
    const secret = findSecret(message[name]);
    const error =
      secret === null
        ? (errors.find((each) => each.field === name)?.message ?? lengthError(message, name))
        : withheldTexts[secret];
    return {
      name,
      value: message[name],
      onChange: (value: string) => onChange({ [name]: value }),
      error,
      advice: secret === "key" ? labelAdvice : "",
      isSecret: secret !== null,
      // An error message replaces the hint, except the character count.
      ...((error === "" || name === "message") && { hint }),
      required: true,
    };
  };
  return (
    <chakra.form
      noValidate
      aria-label="Contact"
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
        takesFocus
        {...field("name", `Up to ${maxNameLength} characters, without < > " and \\.`)}
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
        {...field(
          "message",
          `${formatCount(countCharacters(message.message))} of ${formatCount(maxMessageLength)} characters.`,
        )}
      />
      {errors.length > 0 && (
        <Notice tone="error">
          <p>
            Failed to submit message. Please double-check your data to ensure the email address format is
            valid and that there are no special characters in the name.
          </p>
          {errors
            .filter((error) => !hasField(error))
            .map((error) => (
              <chakra.p key={error.message} mt="1.5">
                {error.message}
              </chakra.p>
            ))}
        </Notice>
      )}
      <chakra.div>
        <Button tone="primary" type="submit" isPending={isPending}>
          Submit
        </Button>
      </chakra.div>
    </chakra.form>
  );
}

/** Ignores submits while one is pending: a second click can arrive before React has disabled the button. */
function useSingleSubmit(submit: () => Promise<unknown>): () => void {
  const isPending = useRef(false);
  return () => {
    if (isPending.current) return;
    isPending.current = true;
    const reset = () => {
      isPending.current = false;
    };
    submit().then(reset, reset);
  };
}

type ContactField = keyof ContactMessage;

/** Returns the server's error, or a message of our own if there was no response. */
function toErrorBody(error: Error): ErrorBody {
  return error instanceof CallError ? error.body : { message: errorMessage(error) };
}

function hasField({ field }: ErrorBody): boolean {
  return field === "name" || field === "email" || field === "message";
}

const labelAdvice = "If it is a public key, write 'public key' before it.";

/** The errors of the texts with a key, which block the submit. The fields show them while typing. */
function findSecretErrors(typed: ContactMessage): ErrorBody[] {
  return Object.entries(typed).flatMap(([field, text]: [string, string]) => {
    const kind = findSecret(text);
    return kind === null ? [] : [{ field, message: withheldTexts[kind] }];
  });
}

const maxLengths: Readonly<Partial<Record<ContactField, number>>> = {
  name: maxNameLength,
  message: maxMessageLength,
};

/** Returns the error for a value that is too long, shown while typing; empty if it fits. */
export function lengthError(typed: ContactMessage, field: ContactField): string {
  const limit = maxLengths[field] ?? Infinity;
  return countCharacters(typed[field]) > limit
    ? `Too long. The limit is ${formatCount(limit)} characters.`
    : "";
}
