import { chakra } from "@chakra-ui/react/styled-system";

export interface StepProgressProps {
  /** What the steps are for. */
  readonly task: string;
  /** From 1. */
  readonly position: number;
  readonly count: number;
}

export function StepProgress({ task, position, count }: StepProgressProps) {
  return (
    <chakra.div mb="4">
      <chakra.div display="flex" gap="1" mb="2" aria-hidden>
        {Array.from({ length: count }, (_, index) => (
          <chakra.span
            key={index}
            flex="1"
            height="1"
            borderRadius="full"
            bg={index < position ? "accent" : "bg.muted"}
          />
        ))}
      </chakra.div>
      <chakra.p fontSize="sm" color="fg.muted" overflowWrap="anywhere">
        {task} · Step {position} of {count}
      </chakra.p>
    </chakra.div>
  );
}
