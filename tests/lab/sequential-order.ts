/** Orders of a change in which no step runs beside another, so that its commands have the same order each time. */
import { type ApplyOrder, applyOrder } from "../../src/agent/drivers/linux/apply-steps.ts";

/** @param number any whole number */
export function sequentialOrder(number: number): ApplyOrder {
  return applyOrder.flatMap((stage) => {
    const first = number % stage.length;
    return [...stage.slice(first), ...stage.slice(0, first)].map((name) => [name]);
  });
}
