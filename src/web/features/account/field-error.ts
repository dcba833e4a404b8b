import { CallError } from "#contract/client.ts";
import { errorMessage } from "../../api/client.ts";

/** Returns the server's error for a field; "" if there is none, or if it concerns another one. */
export function fieldError(error: Error | null, field: string): string {
  return error instanceof CallError && error.body.field === field ? error.body.message : "";
}

/** Returns an error that belongs to none of the fields; "" if there is none. */
export function formError(error: Error | null, fields: readonly string[]): string {
  return error === null || fields.some((field) => fieldError(error, field) !== "") ? "" : errorMessage(error);
}
