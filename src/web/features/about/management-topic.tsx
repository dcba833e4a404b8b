import { Prose, Topic } from "./topic.tsx";

export function ManagementTopic() {
  return (
    <Topic title="Infrastructure Management">
      <Prose>
        Nobody logs in to a router to set up your peering. What you submit in the Peering Manager is checked,
        numbered as a new generation, and handed to a small agent on the node, which alone changes WireGuard
        and BIRD there.
      </Prose>
      <Prose>
        A deployment is applied whole or not at all. The agent writes the new configuration beside the one
        that runs, lets BIRD check it, switches over, and confirms the change once all is well. When something
        is amiss, or the confirmation does not come in time, tunnel and BGP return to what ran before. You are
        told each step, and the reason where it was refused. Other peerings on the node are not touched.
      </Prose>
      <Prose>
        A node that cannot be reached is tried for two minutes. After that the deployment ends as an error,
        and your previous configuration stays the one that counts.
      </Prose>
    </Topic>
  );
}
