import { useProvider } from "../../api/provider.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { ExternalLink, TextLink } from "../../ui/link.tsx";
import { Prose, Topic } from "./topic.tsx";

export function ServicesTopic() {
  const { resolver, looking_glass } = useProvider();
  return (
    <Topic title="Services">
      {resolver !== "" && (
        <Prose>
          A recursive DNS server, which knows the names of the network too: resolver address{" "}
          <CopyText value={resolver} label="resolver address" />
        </Prose>
      )}
      {looking_glass !== "" && (
        <Prose>
          A BGP looking glass, which shows routes as our nodes see them. It is reachable only inside the
          network:{" "}
          <ExternalLink href={looking_glass} target="_blank" rel="noreferrer" overflowWrap="anywhere">
            {looking_glass.replace(/^https?:\/\/|\/$/g, "")}
          </ExternalLink>
        </Prose>
      )}
      <Prose>
        An uptime monitor, which tells how the nodes are and how they were: see{" "}
        <TextLink to="/status">Status</TextLink>.
      </Prose>
    </Topic>
  );
}
