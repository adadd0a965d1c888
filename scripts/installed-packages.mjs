// What is missing in node_modules of what package-lock.json asks for, by the list that npm keeps in it of what it installed.

/**
 * Paths of packages that are wanted and not installed as they should be; empty when all is there.
 * `wanted` and `installed` are the `packages` of package-lock.json and of node_modules/.package-lock.json; `extent` is `all`, or
 * `program` for what runs without the packages of development. More than is wanted may be there.
 */
export function missingPackages(wanted, installed, extent = 'all', { platform, arch } = process) {
  return Object.entries(wanted)
    .filter(([path, { dev }]) => path !== '' && !(dev === true && extent === 'program'))
    .filter(([path, entry]) => !isAsWanted(entry, installed[path]) && !mayBeAbsent(entry, installed[path]))
    .map(([path]) => path);

  function mayBeAbsent(entry, found) {
    return found === undefined && entry.optional === true && !isForThisMachine(entry);
  }

  /**
   * Whether a package names this machine. One that names none may belong to one that is for others; which C library this
   * machine has only npm knows.
   */
  function isForThisMachine({ os, cpu, libc }) {
    return os !== undefined && libc === undefined && allows(os, platform) && allows(cpu, arch);
  }
}

function isAsWanted(entry, found) {
  return found !== undefined && found.version === entry.version && found.integrity === entry.integrity;
}

/** npm's lists name what is allowed, or with a `!` what is not. */
function allows(list, name) {
  if (list === undefined) return true;
  return list.includes(name) || (list.every((word) => word.startsWith('!')) && !list.includes(`!${name}`));
}

/** Whether packages of development are among those that npm installed. */
export function hasDevelopment(installed) {
  return Object.values(installed).some(({ dev }) => dev === true);
}
