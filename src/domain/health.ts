export type Health = "OK" | "Issues" | "Down";

/** The health of a status word. Every word other than OK and Issues counts as Down. */
export function toHealth(status: string): Health {
  return status === "OK" || status === "Issues" ? status : "Down";
}
