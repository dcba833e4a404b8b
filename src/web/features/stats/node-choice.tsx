import { chakra } from "@chakra-ui/react/styled-system";
import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import { useProvider } from "../../api/provider.ts";

export interface NodeChoiceProps {
  /** Undefined while it is open. */
  readonly chosen: string | undefined;
}

/** Whose CPU and memory are shown; the choice is part of the address. */
export function NodeChoice({ chosen }: NodeChoiceProps) {
  const { nodes, domain } = useProvider();
  const navigate = useNavigate();
  const id = useId();
  return (
    <chakra.div display="flex" alignItems="center" gap="2" minWidth="0">
      <chakra.label htmlFor={id} color="fg.muted">
        Node
      </chakra.label>
      <chakra.select
        id={id}
        value={chosen ?? ""}
        disabled={chosen === undefined}
        onChange={({ target: { value } }) =>
          void navigate({ to: "/manager", search: { view: "nodes", node: value }, replace: true })
        }
        minHeight={{ base: "10", md: "9" }}
        minWidth="0"
        px="2"
        fontFamily="mono"
        fontSize={{ base: "lg", md: "sm" }}
        color="fg"
        bg="bg.panel"
        borderWidth="1px"
        borderColor="border.emphasized"
        borderRadius="md"
      >
        {chosen === undefined && <option value="">…</option>}
        {nodes.map(({ name }) => (
          <option key={name} value={name}>{`${name}.${domain}`}</option>
        ))}
      </chakra.select>
    </chakra.div>
  );
}
