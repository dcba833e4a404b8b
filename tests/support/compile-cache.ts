import path from "node:path";
import { repository } from "./repository.ts";

/**
 * The environment with which programs of the project start in half the time: Node.js loads compiled modules from this
 * folder. A program stores them when it exits, but not when it is killed.
 */
export const compileCache = { NODE_COMPILE_CACHE: path.join(repository, "build/compile-cache") } as const;
