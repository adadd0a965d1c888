// The builds of uWebSockets.js that were looked at: where their binaries lie, what each file's SHA-256 is, and what a build
// leaves unanswered. Its author does not publish to npm; both packages are builds that others have made of it. A file is
// loaded only with the pinned hash (load-uws.ts), so a changed one is never run.

/** The first C library of GNU that has what the current build asks for. */
const CURRENT_GLIBC = [2, 38] as const;

export interface UwsBuild {
  /** Name in docs and log. */
  readonly title: string;
  /** What package.json of the clone and of the built program resolve to a file of the package. */
  readonly specifier: '#uws-current' | '#uws-older';
  /** From that file's folder to the binaries. */
  readonly folder: string;
  /** SHA-256 in hexadecimal, by file name: platform, architecture, version of Node's modules. */
  readonly pins: ReadonlyMap<string, string>;
  /** Whether the server chooses it by itself. */
  readonly isDefault: boolean;
  /** What clients meet with it and not over node:http; for the log and the doctor. */
  readonly gaps: string;
}

/** For Node 20 (115), 22 (127) and 24 (137). */
const current: UwsBuild = {
  title: 'uWebSockets.js 20.57',
  specifier: '#uws-current',
  folder: '.',
  pins: new Map([
    ['uws_darwin_arm64_115.node', 'e92644395ac8d37cb078098f843fb1b82e59701832f38fed00a9bdcfb87ba939'],
    ['uws_darwin_arm64_127.node', '6180345d453e2e113feb2b0d76376493cd6a90056c3483fc22de7b0c340dc231'],
    ['uws_darwin_arm64_137.node', '2187391c702fa7ad3bf685eff7712c15cf24fa7cf324a131dfcbae3fd0f20a9a'],
    ['uws_darwin_x64_115.node', 'f661b97951ffdf54324e514becda0a2740f723c9fd3c7098e812a0e7714651ed'],
    ['uws_darwin_x64_127.node', 'fd551673f3ce1f104d7cec3ba8f628d9d04853eff1045c9d95983372ed90bca0'],
    ['uws_darwin_x64_137.node', '98fd7e9456e2d37d3262b05b053d673830927f91c63c0c2ae73bde8d19eef293'],
    ['uws_linux_arm64_115.node', '6bdbc8ff976b4371af1906175e9025804bacc38a414969f4f02314e6b99f206c'],
    ['uws_linux_arm64_127.node', '82b79bd18d1e3563de336156005bd01b7f39fc387b65173d69a29da4ee79f895'],
    ['uws_linux_arm64_137.node', '88618b30ddf6b2b62310db89f40a701616676352aac5e0f6184dd8ef876199ce'],
    ['uws_linux_x64_115.node', '5b126ee00bf754b02e97e4c27090365a8562c5820c93f93918ac2212d4503e91'],
    ['uws_linux_x64_127.node', '4b55b1f2cb7a7913febbb65a89496412b96af77e838552980092ba6b33723aac'],
    ['uws_linux_x64_137.node', '98128405dba2fb608448e921a979530f70c946a2cc9889c15f2fa70c2d00ab05'],
    ['uws_win32_x64_115.node', '1ffbe9b09607fd9c90e98661383de2bd844b06d4f25ab502f3361d8d8fac559f'],
    ['uws_win32_x64_127.node', 'b4fa85dd015d6d32655f75e9d5b2480124b7649d9265a2b84d8dafe37f88f838'],
    ['uws_win32_x64_137.node', '84ae72d2149e6ffa2a44063344073599027b1ce8bffaab3957903f966b0c6bb9'],
  ]),
  isDefault: true,
  gaps: 'HTTP/1.0 is answered with 505, more than 98 header fields with 431, and requests that are sent ahead may close their connection',
};

/** For Node 20 on Linux x64 with an older C library (from 2.27 on). */
const older: UwsBuild = {
  title: 'uWebSockets.js 20.30',
  specifier: '#uws-older',
  folder: 'binaries',
  pins: new Map([['uws_linux_x64_115.node', 'f158fb441f7e2e37b3ab9a56782fe37f4c0d33b5cd32e96ee5c0120ce7db7ced']]),
  isDefault: false,
  gaps: 'HTTP/1.0, heads that cannot be parsed, names of header fields with more than letters, digits and -, more than 48 header fields, and heads above 4 KiB that come in several segments get no answer at all, and requests that are sent ahead may close their connection',
};

export const uwsBuilds: readonly UwsBuild[] = [current, older];

/** What a binary has to fit. */
export interface UwsPlatform {
  readonly platform: string;
  readonly arch: string;
  /** Version that `process.versions.modules` gives. */
  readonly modules: string;
  /** Version of GNU's C library, e.g. `2.36`; undefined where there is none. */
  readonly glibc: string | undefined;
}

let ownPlatform: UwsPlatform | undefined;

/** That of this process, found out once. */
export function thisPlatform(): UwsPlatform {
  if (ownPlatform === undefined) {
    const { platform, arch, versions } = process;
    const glibc = platform === 'linux' ? glibcVersion() : undefined;
    ownPlatform = { platform, arch, modules: versions.modules, glibc };
  }
  return ownPlatform;
}

/** What a report is told to be about. Without it Node makes one, whose trace takes ten times as long as the report. */
const NO_ERROR: Error = { name: 'Error', message: '', stack: '' };

/** Only Node's report knows it. */
function glibcVersion(): string | undefined {
  const report: typeof process.report & { excludeNetwork?: boolean } = process.report;
  // Interfaces of the network would be looked up by name, which takes time.
  report.excludeNetwork = true;
  const { header } = report.getReport(NO_ERROR) as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}

/** The build for a platform; undefined where none fits. */
export function buildFor(platform: UwsPlatform): UwsBuild | undefined {
  const name = binaryName(platform);
  if (platform.platform !== 'linux') return current.pins.has(name) ? current : undefined;
  const { glibc } = platform;
  if (glibc === undefined) return undefined;
  return uwsBuilds.find((build) => build.pins.has(name) && (build === older || isFrom(glibc, CURRENT_GLIBC)));
}

export function binaryName({ platform, arch, modules }: UwsPlatform): string {
  return `uws_${platform}_${arch}_${modules}.node`;
}

function isFrom(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
