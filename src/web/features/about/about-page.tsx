import { chakra } from "@chakra-ui/react/styled-system";
import { useProvider } from "../../api/provider.ts";
import { Page } from "../../ui/page.tsx";
import { ManagementTopic } from "./management-topic.tsx";
import { NodesTopic } from "./nodes-topic.tsx";
import { ServicesTopic } from "./services-topic.tsx";

export function AboutPage() {
  const { name } = useProvider();
  return (
    <Page title="About" lead={`What ${name} runs, and how.`}>
      <chakra.div display="grid" gap={{ base: "8", md: "10" }} gridTemplateColumns="minmax(0, 1fr)">
        <NodesTopic />
        <ManagementTopic />
        <ServicesTopic />
      </chakra.div>
    </Page>
  );
}
