import { joinWords } from "#domain/text/join-words.ts";
import type { NodeHistory } from "./node-history.ts";

export interface NodeWithHistory {
  readonly name: string;
  /** Null if the server does not know the node yet. */
  readonly history: NodeHistory | null;
}

/** More nodes are only counted: two lines of a phone have room for two hostnames. */
const maxNamed = 2;

const groups = [
  ["Down", "does not respond", "do not respond"],
  ["Issues", "has issues", "have issues"],
  [null, "was not checked", "were not checked"],
] as const;

/** Says how all nodes are, the worst first: "za01.example.net does not respond. 1 has issues." */
export function describeNodes(nodes: readonly NodeWithHistory[], hostOf: (node: string) => string): string {
  const all = nodes.length;
  const found = groups
    .map(([state, one, several]) => ({
      names: nodes.filter(({ history }) => (history?.now ?? null) === state).map(({ name }) => name),
      one,
      several,
      isUnchecked: state === null,
    }))
    .filter(({ names }) => names.length > 0);
  const [worst, ...others] = found;
  if (!worst) return all === 1 ? "The node is up." : `All ${all} nodes are up.`;
  if (worst.isUnchecked && worst.names.length === all) return noDataText(nodes);
  const rest = others.map(
    ({ names, one, several }) => `${names.length} ${names.length === 1 ? one : several}`,
  );
  return `${worstText(worst, all, hostOf)}${rest.length === 0 ? "" : ` ${rest.join(", ")}.`}`;
}

function worstText(
  {
    names,
    one,
    several,
  }: { readonly names: readonly string[]; readonly one: string; readonly several: string },
  all: number,
  hostOf: (node: string) => string,
): string {
  const hosts = joinWords(names.map(hostOf));
  if (names.length === 1) return `${hosts} ${one}.`;
  const named = names.length > maxNamed ? "" : `: ${hosts}`;
  return `${names.length} of ${all} nodes ${several}${named}.`;
}

function noDataText(nodes: readonly NodeWithHistory[]): string {
  const wasChecked = nodes.some(({ history }) =>
    history?.days.some(({ ok, issues, down }) => ok + issues + down > 0),
  );
  return wasChecked
    ? "No data. The nodes were not checked in the last five minutes."
    : "No data yet. The server checks every node once a minute.";
}
