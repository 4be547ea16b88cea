/** awk's predefined variables: in every namespace of gawk (`@namespace`), these names mean the same variable. */
export const SPECIAL_VARIABLES: ReadonlySet<string> = new Set(
  "ARGC ARGIND ARGV BINMODE CONVFMT ENVIRON ERRNO FIELDWIDTHS FILENAME FNR FPAT FS FUNCTAB IGNORECASE LINT NF NR OFMT OFS ORS PREC PROCINFO RLENGTH ROUNDMODE RS RSTART RT SUBSEP SYMTAB TEXTDOMAIN".split(
    " ",
  ),
);
