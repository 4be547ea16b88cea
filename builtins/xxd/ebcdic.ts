/** Characters that xxd -E shows for each byte: EBCDIC as ASCII, a point for anything that is no printable character. */
export const EBCDIC_SHOWN =
  "................................................................" +
  " ...........<(+|&.........!$*);~-/.........,%_>?.........`:#@'=\"" +
  ".abcdefghi.......jklmnopqr^.......stuvwxyz...[...............].." +
  "{ABCDEFGHI......}JKLMNOPQR......\\.STUVWXYZ......0123456789......";
