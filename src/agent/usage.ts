export const defaultConfigPath = "/etc/peerdeck/agent.toml";

export const usage = `The agent of a Peerdeck node. It applies peerings to WireGuard and BIRD on this router.

peerdeck-agent                  runs the agent; the service peerdeck-agent does this
peerdeck-agent setup [OPTIONS]  configures this machine as a node, or checks it
peerdeck-agent pause            stops repairs of drift while you work on the router; deployments go on, and a start of the
                                agent still applies the confirmed peerings once
peerdeck-agent resume           starts them again; the agent repairs what drifted within ten seconds
peerdeck-agent --version        prints the version
peerdeck-agent help             prints this text; setup --help explains the options of setup

Files
  ${defaultConfigPath}        the configuration, which setup writes; PEERDECK_AGENT_CONFIG names another one
  /var/lib/peerdeck-agent         the keys and the state of this node (state_dir)
  /etc/bird/peerdeck              the participants' BGP sessions, for an include in bird.conf
  /etc/bird/peerdeck-policy.conf  the filters that these sessions use
  /etc/bird/roa                   the ROAs that the agent fetches

The log:     journalctl -u peerdeck-agent
A restart:   systemctl restart peerdeck-agent
`;
