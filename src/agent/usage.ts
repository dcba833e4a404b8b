export const defaultConfigPath = "/etc/peerdeck/agent.toml";

export const usage = `The agent of a Peerdeck node. It applies peerings to WireGuard and BIRD on this router.

peerdeck-agent                  runs the agent; the service peerdeck-agent does this
peerdeck-agent join 'URL#TOKEN' configures this machine as a node of the server that printed the line
peerdeck-agent setup [OPTIONS]  configures this machine as a node without a server, or checks it
peerdeck-agent pause            stops repairs of drift while you work on the router; deployments go on, and a start of the
                                agent still applies the confirmed peerings once
peerdeck-agent resume           starts them again; the agent repairs what drifted within ten seconds
peerdeck-agent accept-server ADDRESS
                                accepts the server from another address, if it has moved
peerdeck-agent --version        prints the version
peerdeck-agent help             prints this text; join --help and setup --help explain their options

Files
  ${defaultConfigPath}        the configuration, which join and setup write; PEERDECK_AGENT_CONFIG names another one
  /var/lib/peerdeck-agent         the keys and the state of this node (state_dir)
  /etc/bird/peerdeck              the participants' BGP sessions, for an include in bird.conf
  /etc/bird/peerdeck-policy.conf  the filters that these sessions use
  /etc/bird/roa                   the ROAs that the agent fetches

The log:     journalctl -u peerdeck-agent
A restart:   systemctl restart peerdeck-agent
`;
