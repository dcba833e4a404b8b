/** The map's screen. Its route comes with it; until then the router has no type for the path. */
export const mapPath: string = "/map";
