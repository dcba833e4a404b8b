import { readFile, stat } from "node:fs/promises";
import { parse, TomlError } from "smol-toml";
import * as v from "valibot";
import { ConfigError } from "./config-error.ts";
import { type ConfigProblem, describeIssues } from "./config-problems.ts";
import { createLineFinder } from "./toml-lines.ts";

interface ConfigFile<S extends v.GenericSchema> {
  /** The TOML text. */
  readonly text: string;
  /** For error messages. */
  readonly path: string;
  /** Its descriptions complete the sentence "must be …". */
  readonly schema: S;
  /** Keys whose values error messages omit, such as `mail.url`. */
  readonly secretKeys: readonly string[];
}

/** The profile of a hundred nodes takes 50 kB. */
const maxLength = 512 * 1024;
/** An error shows the first of them. */
const maxProblems = 100;

/**
 * Reads the text of a configuration file. Rejects with `ConfigError` if it is unreadable.
 *
 * @param subject what the file is, for the error message
 * @param variable the environment variable that names the file
 */
export async function readConfigFile(path: string, subject: string, variable: string): Promise<string> {
  try {
    if ((await stat(path)).size > maxLength) throw tooLarge(path);
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `The ${subject} ${path} cannot be read (${code ?? message}). ` +
        `${variable} must name a readable TOML file.`,
      { cause: error },
    );
  }
}

function tooLarge(path: string): ConfigError {
  return new ConfigError(
    `${path} is larger than ${maxLength} bytes. A configuration file is smaller: check the path.`,
  );
}

/** Parses and validates a TOML file. Throws `ConfigError` with one line `path:line: problem` for every problem. */
export function parseConfigFile<S extends v.GenericSchema>(file: ConfigFile<S>): v.InferOutput<S> {
  return validateConfig(file, parseToml(file), []);
}

/** Parses the TOML text of a file. Throws `ConfigError` if it is too large or no TOML. */
export function parseToml({ text, path }: Pick<ConfigFile<v.GenericSchema>, "text" | "path">): unknown {
  if (text.length > maxLength) throw tooLarge(path);
  try {
    return parse(text.replace(/^\uFEFF/, ""), { unsafeKeyBehaviour: "throw" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.split("\n");
    throw new ConfigError(
      `${path}:${error.line}:${error.column}: ${reason}. Correct this line first: texts need quotes, lists and the names ` +
        "of tables need brackets.",
      { cause: error },
    );
  }
}

/**
 * Validates the content of a TOML file. Throws `ConfigError` with what the schema finds and these other problems.
 *
 * @param toml what `parseToml` returned
 */
export function validateConfig<S extends v.GenericSchema>(
  file: ConfigFile<S>,
  toml: unknown,
  others: readonly ConfigProblem[],
): v.InferOutput<S> {
  const parsed = v.safeParse(file.schema, toml);
  if (parsed.success && others.length === 0) return parsed.output;
  const issues = parsed.issues?.slice(0, maxProblems) ?? [];
  throw invalidFile(file, [...describeIssues(file.schema, issues, file.secretKeys), ...others]);
}

/** Returns the error for problems in a file, in the order of its lines. */
function invalidFile(
  { text, path }: Pick<ConfigFile<v.GenericSchema>, "text" | "path">,
  problems: readonly ConfigProblem[],
): ConfigError {
  const lineOf = createLineFinder(text);
  const lines = problems
    .map((problem) => ({ line: lineOf(problem.path), message: problem.message }))
    .toSorted((a, b) => a.line - b.line);
  return new ConfigError(lines.map(({ line, message }) => `${path}:${line}: ${message}`).join("\n"));
}
