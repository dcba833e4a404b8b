import { chakra } from "@chakra-ui/react/styled-system";

const samples = [
  { stroke: "good", dashes: undefined, word: "Link up" },
  { stroke: "down", dashes: "10,10", word: "Link not up" },
] as const;

export function MapLegend({ touch }: { readonly touch: boolean }) {
  return (
    <chakra.div
      display="flex"
      flexWrap="wrap"
      columnGap="6"
      rowGap="1"
      px={{ base: "4", md: "5" }}
      py="2.5"
      borderTopWidth="1px"
      fontSize="sm"
      color="fg.muted"
    >
      {samples.map(({ stroke, dashes, word }) => (
        <chakra.span key={word} display="inline-flex" alignItems="center" gap="2">
          <svg width="50" height="4" aria-hidden>
            <chakra.path d="M0 2h50" stroke={stroke} strokeWidth="2" strokeDasharray={dashes} />
          </svg>
          {word}
        </chakra.span>
      ))}
      <chakra.span ms={{ md: "auto" }}>
        {touch ? "Two fingers move and zoom the map." : "Click the map to zoom with the wheel."}
      </chakra.span>
    </chakra.div>
  );
}
