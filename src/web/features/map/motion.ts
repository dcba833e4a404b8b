/** Returns false if the system asks for reduced motion. */
export function isMotionAllowed(): boolean {
  return !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
