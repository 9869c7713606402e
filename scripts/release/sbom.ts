import { z } from "zod";

const lockedSchema = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  link: z.boolean().default(false),
  dev: z.boolean().default(false),
  optional: z.boolean().default(false),
});
const lockfileSchema = z.object({ packages: z.record(z.string(), lockedSchema) });
type Locked = z.infer<typeof lockedSchema>;

/** The packages of an npm lockfile (version 3) by their paths, without links and the project itself. */
export function lockedPackages(lockfile: string): [string, Locked][] {
  const { packages } = lockfileSchema.parse(JSON.parse(lockfile));
  return Object.entries(packages).filter(([path, { link }]) => path !== "" && !link);
}

/** A bill of materials of an npm lockfile, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). */
export function toSbom(lockfile: string, { version, at }: { version: string; at: string }): object {
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: at,
      component: { type: "application", "bom-ref": "weft", name: "weft", version, purl: `pkg:npm/weft@${version}` },
    },
    components: lockedPackages(lockfile).map(([path, locked]) => toComponent(path, locked)),
  };
}

function toComponent(path: string, { name: given, version = "", integrity, license, dev, optional }: Locked): object {
  const inModules = path.split("node_modules/");
  const name = given ?? (inModules.length > 1 ? inModules.at(-1) : undefined) ?? path;
  return {
    type: "library",
    "bom-ref": path,
    name,
    version,
    scope: dev ? "excluded" : optional ? "optional" : "required",
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    ...(integrity === undefined ? {} : { hashes: toHashes(integrity) }),
    ...(license === undefined ? {} : { licenses: [toLicence(license)] }),
  };
}

/** Subresource Integrity, such as `sha512-…`, with the digest in hexadecimal. */
function toHashes(integrity: string): object[] {
  return integrity.split(" ").map((one) => {
    const [algorithm = "", digest = ""] = one.split(/-(.*)/s);
    const alg = algorithm.toUpperCase().replace("SHA", "SHA-");
    return { alg, content: Buffer.from(digest, "base64").toString("hex") };
  });
}

function toLicence(license: string): object {
  return license.includes(" ") ? { expression: license } : { license: { name: license } };
}
