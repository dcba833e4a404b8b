import { chakra } from "@chakra-ui/react/styled-system";

export function Spinner() {
  return (
    <chakra.span
      aria-hidden
      display="inline-block"
      boxSize="4"
      borderWidth="2px"
      borderStyle="solid"
      borderColor="currentColor"
      borderInlineStartColor="transparent"
      borderRadius="full"
      animation="spin 700ms linear infinite"
      css={{ "@media (prefers-reduced-motion: reduce)": { animationDuration: "2.4s" } }}
    />
  );
}

export interface LoaderProps {
  /** What is being waited for, in words: "Loading peerings…". */
  readonly label: string;
}

/** A spinner with words, for waits that have no shape to draw in advance. */
export function Loader({ label }: LoaderProps) {
  return (
    <chakra.div role="status" display="flex" alignItems="center" gap="2.5" color="fg.muted" py="2">
      <Spinner />
      <span>{label}</span>
    </chakra.div>
  );
}
