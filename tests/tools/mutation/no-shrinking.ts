/** A property that fails has noticed the change; a smaller example would take seconds. */
import fc from "fast-check";

fc.configureGlobal({ endOnFailure: true });
