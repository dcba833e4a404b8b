import { type Context, Hono } from "hono";
import { createReadinessCheck, type ReadinessContext } from "./readiness.ts";

/** Whether the server can serve requests: 503 makes a load balancer use another one. */
export function readinessRoute(context: ReadinessContext): Hono {
  const checkReadiness = createReadinessCheck(context);

  async function respond(request: Context): Promise<Response> {
    const readiness = await checkReadiness();
    const status = readiness.status === "unavailable" ? 503 : 200;
    return request.json(readiness, status, { "cache-control": "no-store" });
  }

  return new Hono().get("/readyz", (request) => respond(request));
}
