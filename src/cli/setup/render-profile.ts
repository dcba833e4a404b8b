import { type Draft, readValue } from "./draft.ts";
import { type Question, questions } from "./questions.ts";

const head = `# The provider profile. docs/provider-profile.md describes every key. After a change, check it with
# peerdeck check-profile and restart the server.
`;

/** Renders a draft as a provider profile with a comment for each key. */
export function renderProfile(draft: Draft): string {
  const ofRoot = questions.filter(({ path }) => path.length === 1 && path[0] !== "registry");
  return [
    head,
    renderKeys(draft, ofRoot),
    "\n[registry]\n",
    renderRegistry(draft),
    "\n[mail]\n",
    renderKeys(draft, inTable(questions, "mail")),
  ].join("");
}

function inTable(all: readonly Question[], table: string): readonly Question[] {
  return all.filter(({ path }) => path.length > 1 && path[0] === table);
}

function renderKeys(table: Draft, keys: readonly Question[]): string {
  return keys
    .map(({ path, comment }) => renderKey(path.at(-1) ?? "", readValue(table, path), comment))
    .join("");
}

function renderRegistry(draft: Draft): string {
  const url = renderKey("url", readValue(draft, ["registry", "url"]), "What git fetches the registry from");
  const clone = "The folder of the registry's clone, which you keep current";
  return url + renderKey("path", readValue(draft, ["registry", "path"]), clone);
}

function renderKey(key: string, value: unknown, comment: string): string {
  if (value === undefined) return "";
  // Texts of JSON are texts of TOML, and so are lists of them.
  const rendered = Array.isArray(value)
    ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]`
    : JSON.stringify(value);
  return `# ${comment}\n${key} = ${rendered}\n`;
}
