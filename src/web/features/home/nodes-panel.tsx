import { chakra } from "@chakra-ui/react/styled-system";
import { useProvider } from "../../api/provider.ts";
import { TextLink } from "../../ui/link.tsx";
import { Panel } from "../../ui/panel.tsx";

export function NodesPanel() {
  const { nodes, domain } = useProvider();
  return (
    <Panel
      title="Nodes"
      actions={
        <chakra.span color="fg.muted" fontSize="sm">
          {nodes.length}
        </chakra.span>
      }
      flush
    >
      <chakra.ul>
        {nodes.map(({ name, place }) => (
          <chakra.li
            key={name}
            display="flex"
            alignItems="baseline"
            justifyContent="space-between"
            columnGap="4"
            px={{ base: "4", md: "5" }}
            py="2.5"
            _notFirst={{ borderTopWidth: "1px" }}
          >
            <chakra.span fontFamily="mono" fontSize="sm" overflowWrap="anywhere">
              {name}
              <chakra.span color="fg.subtle">.{domain}</chakra.span>
            </chakra.span>
            <chakra.span color="fg.muted" fontSize="sm" textAlign="end" flexShrink={1000}>
              {place}
            </chakra.span>
          </chakra.li>
        ))}
      </chakra.ul>
      <chakra.p
        display="flex"
        flexWrap="wrap"
        columnGap="5"
        px={{ base: "4", md: "5" }}
        py="2.5"
        borderTopWidth="1px"
      >
        <TextLink to="/map">See them on the map</TextLink>
        <TextLink to="/status">How they are now</TextLink>
      </chakra.p>
    </Panel>
  );
}
