import { chakra } from "@chakra-ui/react/styled-system";
import { useNodeHost } from "#web/api/provider.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";

export interface NodeOfferProps {
  /** The chosen node, which cannot be chosen any more. */
  readonly chosen: string;
  /** Why; "" if another notice says it. */
  readonly obstacle: string;
  /** The nearest node that can be chosen; null if it is not known. */
  readonly nearest: string | null;
  readonly onChoose: (node: string) => void;
}

/** Says that the chosen node cannot be chosen any more, and offers the nearest one. */
export function NodeOffer({ chosen, obstacle, nearest, onChoose }: NodeOfferProps) {
  const nodeHost = useNodeHost();
  if (obstacle === "" && nearest === null) return null;
  return (
    <Notice>
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap="2.5">
        {obstacle !== "" && `${nodeHost(chosen)} cannot be chosen any more: ${obstacle}. `}
        {nearest !== null && (
          <>
            The nearest node with a place is {nodeHost(nearest)}.
            <Button size="sm" onClick={() => onChoose(nearest)}>
              Choose {nearest}
            </Button>
          </>
        )}
      </chakra.div>
    </Notice>
  );
}
