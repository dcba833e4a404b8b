/** What is wrong is said in one place: agents send codes with facts, and only the domain's tables have sentences. */
import type * as v from "valibot";
import { expect, test } from "vitest";
import { agentCalls } from "../../src/contract/agent.ts";
import { sourceFiles } from "../tools/structure/source-files.ts";

const tables = "src/domain/findings/";
const files = (await sourceFiles("src")).filter(({ name }) => !name.endsWith(".test.ts"));

/** The texts of the responses that are what a router printed, or what the participant's router sent. */
const rawOutput: ReadonlyArray<readonly [response: string, ...texts: readonly string[]]> = [
  ["details", "wireguard", "bgp"],
  ["receivedRoutes", "output"],
  ["advertisedRoutes", "output"],
  ["restartBgp", "output"],
  ["ping", "output"],
  ["observe[].sessions[]", "state", "detail"],
  ["observePeering.peering.sessions[]", "state", "detail"],
  ["refusedRoutes.routes[]", "asPath"],
];

/** The texts that are names and addresses, without a pattern in the schema. */
const identifiers: typeof rawOutput = [
  ["events.events[]", "asn"],
  ["observe[]", "sessions[].name"],
  ["observePeering.peering", "sessions[].name"],
];

type Schema = v.GenericSchema & {
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly wrapped?: Schema;
  readonly items?: readonly Schema[];
  readonly options?: ReadonlyArray<Schema | string>;
  readonly value?: Schema;
  readonly pipe?: readonly Schema[];
};

/** Whether a text must have a pattern. */
function hasPattern({ pipe }: Schema): boolean {
  return pipe?.some((action) => ["regex", "uuid"].includes(action.type) || hasPattern(action)) === true;
}

/** The paths of the texts of a schema that may contain anything. */
function freeTexts(schema: Schema, path: string): readonly string[] {
  const { type, pipe, entries, item, items, wrapped, options, value } = schema;
  if (type === "string") return hasPattern(schema) ? [] : [path];
  return [
    ...Object.entries(entries ?? {}).flatMap(([name, entry]) => freeTexts(entry, `${path}.${name}`)),
    // The parts of a pipe after the first, which are schemas or actions.
    ...(pipe ?? []).slice(1).flatMap((part) => (part.kind === "schema" ? freeTexts(part, path) : [])),
    ...(item ? freeTexts(item, `${path}[]`) : []),
    ...(wrapped ? freeTexts(wrapped, path) : []),
    ...(value ? freeTexts(value, `${path}.*`) : []),
    ...(items ?? []).flatMap((each) => freeTexts(each, `${path}[]`)),
    ...(options ?? []).flatMap((each) => (typeof each === "string" ? [] : freeTexts(each, path))),
  ];
}

test("an agent sends no free text but what a router printed", () => {
  const found = Object.entries(agentCalls).flatMap(([name, call]) =>
    freeTexts(call.response as Schema, name),
  );
  const known = [...rawOutput, ...identifiers].flatMap(([response, ...texts]) =>
    texts.map((text) => `${response}.${text}`),
  );
  expect([...new Set(found)].toSorted()).toEqual(known.toSorted());
});

/** The constant parts of the texts in a source, without short ones. */
function textsOf(source: string): readonly string[] {
  const literals = Array.from(source.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g), (found) =>
    (found[1] ?? found[2] ?? "").split(/\$\{[^}]*\}/),
  );
  return literals.flat().filter((text) => text.length >= 24 && /[a-z] [a-z]/.test(text));
}

const sentences = files.filter(({ name }) => name.startsWith(tables)).flatMap(({ text }) => textsOf(text));

/** The files besides the tables that contain a text of them. */
function copies(sources: ReadonlyArray<{ readonly name: string; readonly text: string }>): readonly string[] {
  return sources
    .filter(({ name }) => !name.startsWith(tables))
    .flatMap(({ name, text }) =>
      sentences.filter((each) => text.includes(each)).map((each) => `${name}: ${each}`),
    );
}

test("no other file contains a sentence of the tables", () => {
  expect(sentences.length).toBeGreaterThan(100);
  expect(
    copies([{ name: "src/web/a.tsx", text: 'const a = "Your router refuses BGP connections";' }]),
  ).toEqual(["src/web/a.tsx: Your router refuses BGP connections"]);
  expect(copies(files)).toEqual([]);
});

const render = String.raw`(?:describe(?:ToParticipant|ToOperator|Step|TaskReason|Failure|Reason)|shortSentence|explainFinding|participantFix)\([^()]*\)`;
const comparison = new RegExp(
  String.raw`(?:[!=]==\s*|(?:includes|startsWith|endsWith|indexOf)\()${render}|${render}\s*(?:[!=]==|\.(?:includes|startsWith|endsWith|indexOf|match|replace|replaceAll|split|search)\()`,
);

test("no code compares or edits a sentence of the tables", () => {
  expect("if (issue === describeToParticipant(finding)) {}").toMatch(comparison);
  expect('explainFinding(finding).replace("a", "b")').toMatch(comparison);
  expect("texts.push(describeStep(step))").not.toMatch(comparison);
  expect(files.filter(({ text }) => comparison.test(text)).map(({ name }) => name)).toEqual([]);
});
