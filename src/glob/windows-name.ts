/**
 * Tells whether Windows takes `name` for one name, and for the one that it looks like: no stream of a file (`f:s`), no
 * second separator, no device (`NUL.txt` is one), nothing that it would cut off the end.
 */
export function isWindowsName(name: string): boolean {
  if (/[\u0000-\u001f<>:"|?*\\/]/.test(name) || /[. ]$/.test(name)) return false;
  return !/^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\s*\..*)?$/i.test(name);
}

/** The reason that Windows has no file of a name for which `isWindowsName` is false; a clause. */
export const NO_WINDOWS_NAME =
  'no file has that name on Windows (names of devices as con and nul, with < > : " | ? * \\ in it, or with a dot or a blank at the end)';
