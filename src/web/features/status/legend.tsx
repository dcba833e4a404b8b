import { chakra } from "@chakra-ui/react/styled-system";
import { Bars, stripHeight } from "./bars.tsx";

const samples = [
  { span: { from: 0, ok: 1, issues: 0, down: 0 }, words: "OK" },
  { span: { from: 0, ok: 0, issues: 1, down: 0 }, words: "Issues" },
  { span: { from: 0, ok: 1, issues: 0, down: 1 }, words: "Down in part" },
  { span: { from: 0, ok: 0, issues: 0, down: 1 }, words: "Down" },
  { span: { from: 0, ok: 0, issues: 0, down: 0 }, words: "No data: nobody looked" },
] as const;

/** What the bars of the strips mean. */
export function Legend() {
  return (
    <chakra.ul display="flex" flexWrap="wrap" columnGap="5" rowGap="1" fontSize="sm" color="fg.muted">
      {samples.map(({ span, words }) => (
        <chakra.li key={words} display="flex" alignItems="center" gap="2">
          <chakra.svg
            aria-hidden
            width="1.5"
            height="4"
            viewBox={`0 0 1 ${stripHeight}`}
            preserveAspectRatio="none"
          >
            <Bars spans={[span]} />
          </chakra.svg>
          {words}
        </chakra.li>
      ))}
    </chakra.ul>
  );
}
