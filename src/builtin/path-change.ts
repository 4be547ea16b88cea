/** Kinds of change that a builtin makes to an entry of a directory. Types only. */

/**
 * Change of the named entry itself, whatever it is; a symbolic link is not followed. "remove": with all that is below it; "make": a
 * directory where nothing is; "put": a file, a link or a directory comes to be there; "attributes": its times.
 */
export type PathChange = "remove" | "make" | "put" | "attributes";
