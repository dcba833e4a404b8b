import { useProvider } from "../../api/provider.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { ExternalLink, TextLink } from "../../ui/link.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Topic } from "./topic.tsx";

export function ServicesTopic() {
  const { resolver, looking_glass } = useProvider();
  const services = [
    resolver !== "" && {
      label: "Recursive DNS server",
      value: (
        <>
          <CopyText value={resolver} label="resolver address" />
          <br />
          The resolver address. It knows the names of the network too.
        </>
      ),
    },
    looking_glass !== "" && {
      label: "BGP looking glass",
      value: (
        <>
          <ExternalLink href={looking_glass} target="_blank" rel="noreferrer" overflowWrap="anywhere">
            {looking_glass.replace(/^https?:\/\/|\/$/g, "")}
          </ExternalLink>
          <br />
          Shows routes as our nodes see them. Reachable only inside the network.
        </>
      ),
    },
    {
      label: "Uptime monitor",
      value: (
        <>
          <TextLink to="/status">Status</TextLink>
          <br />
          How the nodes are, and how they were.
        </>
      ),
    },
  ].filter((service) => service !== false);
  return (
    <Topic title="Services">
      <Panel>
        <KeyValueList items={services} />
      </Panel>
    </Topic>
  );
}
