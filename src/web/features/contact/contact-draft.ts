/** The stored draft of a contact message. */
import type { QueryClient } from "@tanstack/react-query";
import * as v from "valibot";
import type { ContactMessage } from "#domain/contact-message.ts";
import { findSecret } from "#domain/secrets/find-secret.ts";
import * as drafts from "../../browser/drafts.ts";

const messageSchema = v.object({ name: v.string(), email: v.string(), message: v.string() });

function draftKey(username: string): drafts.DraftKey {
  return { username, name: ["contact"] };
}

/** Loads the stored draft for `readContactDraft`. Called by the route's loader. */
export function loadContactDraft(queryClient: QueryClient, username: string): Promise<void> {
  return drafts.loadDraft(queryClient, draftKey(username), (stored) => {
    const parsed = v.safeParse(messageSchema, stored);
    return parsed.success ? parsed.output : null;
  });
}

export function readContactDraft(queryClient: QueryClient, username: string): ContactMessage | undefined {
  return drafts.readDraft(queryClient, draftKey(username)) as ContactMessage | undefined;
}

/** A text with a key stays in memory. The device holds the other fields. */
export function writeContactDraft(queryClient: QueryClient, username: string, typed: ContactMessage): void {
  const stored = {
    name: withoutSecret(typed.name),
    email: withoutSecret(typed.email),
    message: withoutSecret(typed.message),
  } satisfies ContactMessage;
  drafts.writeDraft(queryClient, draftKey(username), typed, stored);
}

function withoutSecret(text: string): string {
  return findSecret(text) === null ? text : "";
}

export function deleteContactDraft(queryClient: QueryClient, username: string): void {
  drafts.deleteDraft(queryClient, draftKey(username));
}
