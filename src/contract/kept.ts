/**
 * On an answer that the worker gave from what the device keeps: when it was true, in milliseconds since 1970 by
 * the device's clock.
 */
export const knownAtHeader = "peerdeck-known-at";
