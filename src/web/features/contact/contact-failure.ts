import { CallError } from "../../../contract/client.ts";
import type { Failure } from "../../../contract/failure.ts";
import {
  characters,
  type ContactMessage,
  longestMessage,
  longestName,
} from "../../../domain/contact-message.ts";
import { toldBy } from "../../api/client.ts";

export type ContactField = keyof ContactMessage;

/** Why a message was not taken: the server's reason with its field, or ours where it gave no answer. */
export function contactFailure(error: Error): Failure {
  return error instanceof CallError ? error.failure : { message: toldBy(error) };
}

export function isAboutField({ field }: Failure): boolean {
  return field === "name" || field === "email" || field === "message";
}

const longest: Readonly<Partial<Record<ContactField, number>>> = {
  name: longestName,
  message: longestMessage,
};

/** What is too long already while it is typed, as a sentence for the field; empty where it fits. */
export function tooLong(typed: ContactMessage, field: ContactField): string {
  const limit = longest[field] ?? Infinity;
  return characters(typed[field]) > limit
    ? `Too long: ${limit.toLocaleString("en")} characters at most.`
    : "";
}
