import { ProcessError } from "#system/processes.ts";
import { BirdUnavailableError } from "../bird/control-socket.ts";
import { RouterUnavailableError } from "../router.ts";

/** Converts errors of BIRD and of commands into `RouterUnavailableError`. */
export async function withRouterErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof BirdUnavailableError || error instanceof ProcessError)) throw error;
    throw new RouterUnavailableError(error.message, { cause: error });
  }
}

/** For what cannot be said while BIRD does not respond. */
export function nullIfBirdUnavailable(error: unknown): null {
  if (error instanceof BirdUnavailableError) return null;
  throw error;
}
