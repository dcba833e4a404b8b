/**
 * Writes an image as an archive that `podman load`, `docker load` and `skopeo` read: an OCI image layout
 * (github.com/opencontainers/image-spec), with the list that Docker's engine reads instead.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { compress, writeArchive } from "./archive.ts";

export interface Image {
  /** Like `localhost/peerdeck:1.0.0`. */
  readonly name: string;
  /** Debian's name, which is the specification's as well. */
  readonly architecture: string;
  /** The time of the image, in seconds since 1970. */
  readonly seconds: number;
  /** How its container runs, with the specification's names. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The lowest first. */
  readonly layers: readonly Layer[];
}

interface Layer {
  /** A tar archive, which is moved into the image. */
  readonly tar: string;
  readonly createdBy: string;
}

interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const mediaType = (kind: string) => `application/vnd.oci.image.${kind}`;
const pathOf = ({ digest }: Blob) => join("blobs", digest.replace(":", "/"));

/**
 * Writes the archive. The same layers give the same bytes.
 *
 * @param isCompressed false: the layers are not compressed, which is most of the work
 */
export async function writeOciArchive(
  target: string,
  { name, architecture, seconds, config, layers }: Image,
  { isCompressed }: { readonly isCompressed: boolean },
): Promise<void> {
  const folder = `${target}.tree`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "blobs/sha256"), { recursive: true });

  const diffIds: string[] = [];
  const blobs: Blob[] = [];
  for (const { tar } of layers) {
    diffIds.push(await readDigest(tar));
    const layer = isCompressed ? await compress(tar) : tar;
    blobs.push(await addBlob(folder, layer, mediaType(`layer.v1.tar${isCompressed ? "+gzip" : ""}`)));
  }
  const created = new Date(seconds * 1000).toISOString();
  const configuration = await addJson(folder, mediaType("config.v1+json"), {
    created,
    architecture,
    os: "linux",
    config,
    rootfs: { type: "layers", diff_ids: diffIds },
    history: layers.map(({ createdBy }) => ({ created, created_by: createdBy })),
  });
  const manifest = await addJson(folder, mediaType("manifest.v1+json"), {
    schemaVersion: 2,
    mediaType: mediaType("manifest.v1+json"),
    config: configuration,
    layers: blobs,
  });
  // The first name is that of the specification, the second that of containerd, and so of Docker.
  const annotations = { "org.opencontainers.image.ref.name": name, "io.containerd.image.name": name };
  const files = {
    "oci-layout": { imageLayoutVersion: "1.0.0" },
    "index.json": {
      schemaVersion: 2,
      mediaType: mediaType("index.v1+json"),
      manifests: [{ ...manifest, annotations }],
    },
    "manifest.json": [{ Config: pathOf(configuration), RepoTags: [name], Layers: blobs.map(pathOf) }],
  };
  for (const [file, value] of Object.entries(files))
    await writeFile(join(folder, file), JSON.stringify(value));
  await writeArchive(target, { folder, names: [...Object.keys(files), "blobs"], seconds });
  await rm(folder, { recursive: true });
}

async function addJson(folder: string, type: string, value: unknown): Promise<Blob> {
  const file = join(folder, "new.json");
  await writeFile(file, JSON.stringify(value));
  return addBlob(folder, file, type);
}

/** Moves a file into the image. */
async function addBlob(folder: string, file: string, type: string): Promise<Blob> {
  const blob = { mediaType: type, digest: await readDigest(file), size: (await stat(file)).size };
  await rename(file, join(folder, pathOf(blob)));
  return blob;
}

async function readDigest(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return `sha256:${hash.digest("hex")}`;
}
