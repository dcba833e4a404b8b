/** A message that was not sent yet. */
import type { QueryClient } from "@tanstack/react-query";
import * as v from "valibot";
import type { ContactMessage } from "../../../domain/contact-message.ts";
import * as drafts from "../../offline/drafts.ts";

const message = v.object({ name: v.string(), email: v.string(), message: v.string() });

function draftOf(username: string): drafts.DraftOf {
  return { username, name: ["contact"] };
}

/** For the route's loader: from then on `readDraft` knows what an earlier visit left. */
export function loadDraft(queryClient: QueryClient, username: string): Promise<void> {
  return drafts.loadDraft(queryClient, draftOf(username), (kept) => {
    const parsed = v.safeParse(message, kept);
    return parsed.success ? parsed.output : null;
  });
}

export function readDraft(queryClient: QueryClient, username: string): ContactMessage | undefined {
  return drafts.readDraft(queryClient, draftOf(username)) as ContactMessage | undefined;
}

export function writeDraft(queryClient: QueryClient, username: string, typed: ContactMessage): void {
  drafts.writeDraft(queryClient, draftOf(username), typed);
}

export function dropDraft(queryClient: QueryClient, username: string): void {
  drafts.dropDraft(queryClient, draftOf(username));
}
