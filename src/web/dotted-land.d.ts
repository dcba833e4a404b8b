declare module "virtual:dotted-land" {
  /** The path of the land's dots: x is the longitude, y the latitude southwards, both in degrees. */
  export const landRows: string;
}
