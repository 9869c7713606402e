import type { PinnedPackage } from "../debian-package.ts";

const ofAll = (name: string, version: string, sha256: string): PinnedPackage => ({
  name,
  version,
  architecture: "all",
  sha256,
});
const ofAmd64 = (name: string, version: string, sha256: string): PinnedPackage => ({
  ...ofAll(name, version, sha256),
  architecture: "amd64",
});

/** Where the files of `debian-files.ts` are: 19 MB. */
export const packages = [
  ofAll("debian-faq-ja", "11.1", "7e2a2f200a963e41dead4dd8645e0dd6550e2eda4cd88041b8e880046ca924a2"),
  ofAll("debian-policy", "4.6.2.0", "ef9d01b625c3b87c3a845c2cd1b66f1a16e9240b2b9e5bee53472a00e8457a39"),
  ofAll("debmake-doc", "1.17-7", "f562cf744d906b9255c60d659873609ed5f40d657d99c4a6f3f5c194c24507cf"),
  ofAll("developers-reference", "12.18", "0dba82f6fa16e373f2a84ad07e7971aa9264ad2e7d2ae46b37edbc9c5fd57e2e"),
  ofAll("fonts-sil-scheherazade", "2.100-2.1", "81b583ef38fc0e977031ad8efe310459c10552dfa0acebfb09440f9b6836870d"),
  ofAll("latex2rtf-doc", "2.3.18a-3", "3e850ba7c9617de4ca0cb1dd649d651ea77b1dddfefecf271628b65e5dbb5fc9"),
  ofAll(
    "libpython3.11-testsuite",
    "3.11.2-6+deb12u9",
    "5dd0f85e950b344a51374e0ef68089e808f73c6c594c80e5232936b5c7ea4a28",
  ),
  ofAll("r-cran-officer", "0.6.0+dfsg-1", "3d6ec99aa9b4e414656b5389600871977dfe79dc4abd49ce11342f80aaffddcc"),
  ofAmd64("r-cran-openxlsx", "4.2.5.2-1", "cc998ce373488a27ed2baab183268fafae7a44dcfd08ba5c1a5fd10e9b4e64a1"),
  ofAmd64("r-cran-readxl", "1.4.2-1", "eb705525f906c968022162e8e58993a8b444ae900ff0487389769721bdcb4e67"),
  ofAmd64("r-cran-tm", "0.7-11-1", "483fa4e8c8fec74a36875470932b71c21ed2209bbab504f50844aca2d24cb51b"),
];
