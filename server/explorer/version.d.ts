/** That of package.json, which the build puts in. */
declare const VARVE_VERSION: string;
