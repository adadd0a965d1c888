// The uWebSockets.js binaries as they were looked at when this version was chosen: its npm package is not published by
// its author, so a changed file must not go unnoticed. By file name, for Node 20 (115), 22 (127) and 24 (137).

/** SHA-256 in hexadecimal. */
export const uwsBinaryPins: ReadonlyMap<string, string> = new Map([
  ['uws_darwin_arm64_115.node', 'f6132ac4d0954ce32ed716d5b367270904c5885bc6e01dcc8ae5809a8967d504'],
  ['uws_darwin_arm64_127.node', '84ab0c487fbbb895afbfa24c7ac02db5922b2eb468b3a4663aaca52af29b420c'],
  ['uws_darwin_arm64_137.node', 'dd7623e7e600dcc1384c4a639ac05849f0c27125be8c431b702e0513e86613f0'],
  ['uws_darwin_x64_115.node', '7552dc27e278be4a5f9ca4f571676e9046929ef8753b1bb63b84f78e1a752a11'],
  ['uws_darwin_x64_127.node', '1bcd63a9cd5cda811d899b80f9b1f7c9f29d128feafebe6976069ab1045a0335'],
  ['uws_darwin_x64_137.node', '7df6e0b2be43048200370a64ee91d6563879f5d3b0207f846dc81377ffc4e189'],
  ['uws_linux_arm64_115.node', '034e0fcccdc08f90df3b130f421516311831b1352fe38eab91abc2984c2fdf3a'],
  ['uws_linux_arm64_127.node', 'a7d9bc3ec166421a49416d5ea4f49118ae68ea1dbf8a765c4f45a79b0b6adb13'],
  ['uws_linux_arm64_137.node', 'b6eb007d627e00bcce03ad38f197124e9027c03f6fe784b37f97b8a6ea709cb4'],
  ['uws_linux_arm_115.node', '4966e43e7620aba56bccfa54f784fd8a9e3816a19e561d211dc40ae9e9097e35'],
  ['uws_linux_x64_115.node', 'f4fa5d7b697529b45ac8aa3d57385d9af51bc1d2b26aa9f5b68ca4361542e665'],
  ['uws_linux_x64_127.node', '78e38a9a163b1cf33ce539619e5908111dea95a12e7943d95fbcdd524879caa8'],
  ['uws_linux_x64_137.node', '3b549c14e01d9d1faf234cdf4b6f0fb08158605e3692cd0eb1b905e327bd3449'],
  ['uws_win32_x64_115.node', '160eeb564c9e5887893f6b561fbcf39fecc6fbd6cacc86f461af67b3688d84fa'],
  ['uws_win32_x64_127.node', 'bf190a123983621f89f8ac667c354fd95f45b9b153095bdfe1167c50d1922746'],
  ['uws_win32_x64_137.node', 'ad2eff4924594a5dba3b451334f432bd526c33885960f8b68e85261b0ac4ff07'],
]);

/** The file that uWebSockets.js loads in this process. */
export function uwsBinaryName(): string {
  return `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
}
