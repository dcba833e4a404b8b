import { expect, test } from "vitest";
import { listFrameSources } from "./profile.ts";

const nothing = {
  status_page: "",
  dashboards: { node_cpu: "", node_memory: "", interface: "", total_routes: "" },
};

test("a profile without pages has no sources", () => {
  expect(listFrameSources({ facts: nothing })).toEqual([]);
});

test("each origin occurs once, and a path is this server", () => {
  const facts = {
    ...nothing,
    status_page: "https://status.example.net/all;x?y=1#z",
    dashboards: {
      node_cpu: "https://graphs.example.net:3000/d/cpu?node={node}",
      node_memory: "https://graphs.example.net:3000/d/memory?node={node}",
      interface: "http://peers.example.net/{node}/as/{asn}",
      total_routes: "/graphs/routes",
    },
  };
  expect(listFrameSources({ facts })).toEqual([
    "https://status.example.net",
    "https://graphs.example.net:3000",
    "http://peers.example.net",
    "'self'",
  ]);
});
