import { expect, test } from "vitest";
import { frameSources } from "./frame-sources.ts";

const nothing = {
  status_page: "",
  dashboards: { node_cpu: "", node_memory: "", interface: "", total_routes: "" },
};

test("a profile without pages embeds none", () => {
  expect(frameSources({ facts: nothing })).toEqual([]);
});

test("every page counts with its origin, once, and a path as our own host", () => {
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
  expect(frameSources({ facts })).toEqual([
    "https://status.example.net",
    "https://graphs.example.net:3000",
    "http://peers.example.net",
    "'self'",
  ]);
});
