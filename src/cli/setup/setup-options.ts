import { resolve } from "node:path";
import type { ConfigProblem } from "#system/config/config-problems.ts";
import type { TomlPath } from "#system/config/toml-lines.ts";
import { invalidArguments, parseArguments } from "../command-line.ts";
import { type Draft, findDraftProblems, readValue, setValue } from "./draft.ts";
import { type Question, questions } from "./questions.ts";

const usage = `peerdeck setup [--config FILE] [--yes] [the answers as options]
  Asks for what the provider profile needs, writes it to FILE (by default PEERDECK_CONFIG), and checks the installation.
  It never changes an existing profile. With --yes, or without a terminal, it asks nothing: all answers are options.
  --name "Example Network"   --domain example.net   --asn 4242422227
  --public-url https://peering.example.net   --support-address noc@example.net
  --prefix 172.20.16.0/27    the provider's prefixes; can be repeated
  --trusted-proxy 127.0.0.1  reverse proxies; can be repeated. Default: 127.0.0.1 and ::1
  --registry URL             or the folder of a clone that you update
  --mail-url URL             other users of this machine can see a password in it while the command runs
  --mail-from ADDRESS        --mail-tls required|opportunistic|none   --mail-ca FILE`;

export interface SetupOptions {
  /** The path of the profile. */
  readonly path: string;
  /** Whether the profile is written without a question. */
  readonly isConfirmed: boolean;
  /** The answers in the arguments. */
  readonly draft: Draft;
}

/**
 * Parses the arguments.
 *
 * @param defaultPath of the profile
 * @throws {ConfigError} if they are invalid, or the profile cannot have one of the answers
 */
export async function readSetupOptions(args: readonly string[], defaultPath: string): Promise<SetupOptions> {
  const texts = { type: "string", multiple: true } as const;
  const { values } = parseArguments(
    args,
    {
      options: {
        config: { type: "string" },
        yes: { type: "boolean" },
        name: texts,
        domain: texts,
        asn: texts,
        "public-url": texts,
        "support-address": texts,
        prefix: texts,
        "trusted-proxy": texts,
        registry: texts,
        "mail-url": texts,
        "mail-from": texts,
        "mail-tls": texts,
        "mail-ca": texts,
      },
    },
    usage,
  );
  const { config, yes: isConfirmed = false, ...answers } = values;
  const path = resolve(config ?? defaultPath);
  const draft: Draft = {};
  for (const question of questions) {
    const given = answers[question.flag as keyof typeof answers];
    if (given) setValue(draft, question.path, question.parse(given.join(" ")));
  }
  const wrong = (await findDraftProblems(draft, path)).filter(
    (problem) => readValue(draft, problem.path) !== undefined,
  );
  if (wrong.length > 0) throw invalidArguments(describeProblems(wrong), usage);
  return { path, isConfirmed, draft };
}

/** Returns a line for each problem, without the last full stop. */
function describeProblems(problems: readonly ConfigProblem[]): string {
  return problems
    .map(({ path, message }) => `--${flagAt(path)}: ${message}`)
    .join("\n")
    .replace(/\.$/, "");
}

function flagAt(path: TomlPath): string {
  return questions.find((question) => question.path.every((key, index) => path[index] === key))?.flag ?? "";
}

/** Adds the defaults of what is missing. Throws `ConfigError` with the options that have none. */
export function completeFromDefaults({ draft, isConfirmed }: SetupOptions): void {
  const missing = [
    ...questions.filter((question) => isMissing(draft, question)).map(({ flag }) => `--${flag}`),
    ...(isConfirmed ? [] : ["--yes, which writes the profile without a question"]),
  ];
  if (missing.length > 0) throw invalidArguments(`Missing: ${missing.join(", ")}`, usage);
  for (const question of questions) {
    const initial = question.initial?.(draft) ?? "";
    if (initial !== "" && readValue(draft, question.path) === undefined)
      setValue(draft, question.path, question.parse(initial));
  }
}

function isMissing(table: Draft, { path, initial }: Question): boolean {
  return initial === undefined && readValue(table, path) === undefined;
}
